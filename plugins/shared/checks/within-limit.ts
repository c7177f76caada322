import { type MaybePromise, ToolkitError } from '../../../kernel/index.ts';

/** Runs work and waits at most `timeoutMs` for it. Throws what it throws, and TIMEOUT when it takes longer; it goes on then. `what`: the work, in words. */
export async function withinLimit<T>(work: () => MaybePromise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ToolkitError('TIMEOUT', `${what} took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
