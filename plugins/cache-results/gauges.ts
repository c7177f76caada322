import type { PluginApi } from '../../kernel/index.ts';

/** The number of reads of the cache since the start. */
export interface CacheReads {
  hit: number;
  miss: number;
}

/** Adds the number of reads of the cache. Returns the numbers, to be counted up. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>): CacheReads {
  const reads: CacheReads = { hit: 0, miss: 0 };
  extend.gauge({
    name: 'cache.reads',
    description: 'Calls of tools with a cache that got a result from it (hit), also that of a running call, or had to run (miss)',
    unit: '{read}',
    kind: 'counter',
    labels: ['outcome'],
    read: () => [
      { labels: { outcome: 'hit' }, value: reads.hit },
      { labels: { outcome: 'miss' }, value: reads.miss },
    ],
  });
  return reads;
}
