/**
 * Does a piece of work for every item, a few at a time. Ends when none is under way any more, and throws what failed first; no further item is
 * begun then.
 */
export async function inLanes<T>(items: Iterable<T>, lanes: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && failures.length === 0; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: lanes }, () => lane().catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
}
