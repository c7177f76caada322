/**
 * Runs the work for every item, at most `concurrency` at a time. After a failure it starts no further item, waits for those
 * that run, and throws the first error.
 */
export async function runParallel<T>(items: Iterable<T>, concurrency: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && failures.length === 0; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, () => worker().catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
}
