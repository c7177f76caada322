import type { PluginApi } from '../../kernel/index.ts';

/** The calls that wait for a limit. */
export interface WaitingCalls {
  count: number;
}

/** Adds the number of calls that wait for a limit. Returns the number, to be kept up to date. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>): WaitingCalls {
  const waiting: WaitingCalls = { count: 0 };
  extend.gauge({
    name: 'limits.waiting',
    description: 'Calls of this process that wait for a rate limit. With a shared store also those that ask it at the moment',
    unit: '{call}',
    read: () => waiting.count,
  });
  return waiting;
}
