import type { Logger } from '../../kernel/index.ts';
import type { Chain, ChainEnd } from './chain.ts';
import { headPath, readHead } from './head-file.ts';

/** Returns the end of the chain that the head file names, when the file itself ends earlier because records were cut off. Logs the gap. */
export async function findEndByHead(
  file: string,
  end: ChainEnd,
  { chain, logger }: { readonly chain: Chain; readonly logger: Logger },
): Promise<ChainEnd | undefined> {
  const head = await readHead(file, chain);
  if (head.type === 'broken')
    logger.error(`"${headPath(file)}", which names the last record of the audit trail, does not verify. It is written anew.`);
  if (head.type !== 'record' || head.end.seq === 0 || head.end.seq < end.seq || head.end.hash === end.hash) return undefined;
  logger.error(
    `The audit trail "${file}" ends with record ${end.seq}, and "${headPath(file)}" names record ${head.end.seq}: records at the end were cut off or replaced. The trail continues after the gap. To begin a new trail, move all of its files away.`,
    { drift: 'cut' },
  );
  return head.end;
}
