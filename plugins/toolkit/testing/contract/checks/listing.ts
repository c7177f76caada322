import type { Source, SourceContext } from '../../../../../kernel/index.ts';
import { memoryLogger } from '../../memory-logger.ts';
import { type ContractCheck, failIf } from '../contract-check.ts';

/** Checks of the listings of sources. The checks of discovery cover that they list the same each time. */
export const listingChecks: readonly ContractCheck[] = [
  {
    title: 'ends a listing of its sources when the signal aborts',
    run: (subject) =>
      subject.withKernel(async () => {
        for (const { name, source } of new Map(subject.record.sources.map((added) => [added.name, added])).values()) {
          const hasEnded = await endsWhenAborted(source, subject.settings.limitMs ?? 10_000);
          failIf(
            !hasEnded,
            `A listing of the source "${name}" goes on after its signal has aborted, and what it has started stays. Pass context.signal on, and use context.fetch.`,
          );
        }
      }),
  },
];

const nothing = (): void => {};

const sink = {
  addTool: nothing,
  addProvider: nothing,
  addResource: nothing,
  addResourceTemplate: nothing,
  addPrompt: nothing,
  useCached: () => false,
  addProblem: nothing,
};

/** Resolves to false when a listing does not end. Its signal aborts at once, and no request is answered before. */
async function endsWhenAborted(source: Source, limitMs: number): Promise<boolean> {
  const { signal, abort } = abortable();
  const fetch: SourceContext['fetch'] = () =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  const list = async (): Promise<void> => source.list({ sink, fetch, roots: [], signal, logger: memoryLogger() });
  const ended = list().then(
    () => true,
    () => true,
  );
  setImmediate(abort);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('The listing is over.')) };
}
