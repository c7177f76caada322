import { inspect } from 'node:util';
import type { DocumentFile } from './folders.ts';

/** A message to this process. */
export interface Job {
  readonly round: string;
  readonly document: DocumentFile;
  readonly options?: unknown;
}

/** A message from this process. */
export type Answer = { readonly rssMb: number } & ({ readonly result: unknown } | { readonly error: string });

/** The module of a round. Its results go through structured cloning. */
interface RoundModule {
  run(document: DocumentFile, options: unknown): Promise<unknown>;
}

process.on('message', ({ round, document, options }: Job) => {
  void answer(round, document, options).then((given) => {
    const sent: Answer = { rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20), ...given };
    process.send?.(sent);
  });
});
process.on('disconnect', () => process.exit());

async function answer(round: string, document: DocumentFile, options: unknown): Promise<{ result: unknown } | { error: string }> {
  try {
    const { run } = (await import(`../rounds/${round}.ts`)) as RoundModule;
    return { result: await run(document, options) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : inspect(error) };
  }
}
