import { type PluginApi, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { pagesOf } from '../state/pages-of.ts';
import { openPrefix } from './call-keys.ts';
import { queuePrefix, runningPrefix } from './queue-keys.ts';

const pageSize = 1000;

/** Maximum number of counted entries of an index: a read of the gauge takes at most 100 pages of each. */
const maxCounted = 100_000;

/** Adds the number of unfinished durable calls. `state` returns the store of the calls; undefined while there is none. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>, state: () => StateStore | undefined): void {
  extend.gauge({
    name: 'calls.durable',
    description: `Durable calls that have not ended, over all processes of the store, up to ${maxCounted}`,
    unit: '{call}',
    labels: ['status'],
    async read() {
      const store = state();
      if (store === undefined) return undefined;
      try {
        return Object.entries(await countAll(store)).map(([status, value]) => ({ labels: { status }, value }));
      } catch (error) {
        if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') return undefined;
        throw error;
      }
    },
  });
}

/** Reads indexes and no records, which may be large. A call that changes meanwhile may be counted twice, or not. */
async function countAll(state: StateStore): Promise<Readonly<Record<'waiting' | 'running' | 'asked', number>>> {
  const waiting = await countOf(state, queuePrefix);
  const running = await countOf(state, runningPrefix);
  const open = await countOf(state, openPrefix);
  return { waiting, running, asked: Math.max(0, open - waiting - running) };
}

async function countOf(state: StateStore, prefix: string): Promise<number> {
  let count = 0;
  // Entries that this process cannot decrypt are calls all the same.
  const onUnreadable = (): void => void count++;
  for await (const { length } of pagesOf(state, prefix, pageSize, { onUnreadable })) {
    count += length;
    if (count >= maxCounted) return maxCounted;
  }
  return count;
}
