import { AsyncLocalStorage } from 'node:async_hooks';

/** The result of some work, and the text that it printed. */
export interface CapturedOutput<T> {
  readonly result: T;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the work, and captures what it writes to standard output and standard error. Writes of other code in the process pass. */
export async function captureOutput<T>(work: () => Promise<T>): Promise<CapturedOutput<T>> {
  const inWork = new AsyncLocalStorage<true>();
  const printed = { stdout: '', stderr: '' };
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const ownDescriptor = Object.getOwnPropertyDescriptor(stream, 'write');
    const write = stream.write as (...writeArguments: unknown[]) => boolean;
    stream.write = (...writeArguments: unknown[]): boolean => {
      if (inWork.getStore() !== true) return write.apply(stream, writeArguments);
      printed[name] += String(writeArguments[0]);
      const done = writeArguments.at(-1);
      if (typeof done === 'function') done();
      return true;
    };
    return () => {
      if (ownDescriptor === undefined) Reflect.deleteProperty(stream, 'write');
      else Object.defineProperty(stream, 'write', ownDescriptor);
    };
  });
  try {
    return { result: await inWork.run(true, work), ...printed };
  } finally {
    for (const undo of restore) undo();
    // An enabled storage slows down every later promise of the process.
    inWork.disable();
  }
}
