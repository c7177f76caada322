import type { DLogger } from '@dbos-inc/dbos-sdk';
import { excerpt, type Logger } from '../../kernel/index.ts';

/** The same is not said again for so long, in milliseconds: without its database DBOS says so at every look into its queue. */
const quietMs = 60_000;

/** Has what DBOS says in our log, its failures as warnings: what they come to for a call is said where it is known. */
export function dbosLog(logger: Logger): DLogger {
  const said = new Map<string, number>();
  const warn = (entry: unknown): void => {
    const text = excerpt(String(entry));
    const now = performance.now();
    if (now - (said.get(text) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    if (said.size > 100) said.clear();
    said.set(text, now);
    logger.warn(`DBOS: ${text}`);
  };
  const debug = (entry: unknown): void => logger.debug(`DBOS: ${excerpt(String(entry))}`);
  return { debug, info: debug, warn, error: warn };
}
