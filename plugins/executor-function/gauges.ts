import type { JsonObject, PluginApi } from '../../kernel/index.ts';

/** The status of each pool, by the kind of its workers. */
type PoolStatuses = Readonly<Record<'thread' | 'process' | 'python', () => JsonObject>>;

/** Adds the number of workers, and of calls that wait for one. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>, statuses: PoolStatuses): void {
  const counts = (): readonly { readonly kind: string; readonly running: number; readonly idle: number; readonly waiting: number }[] =>
    Object.entries(statuses).map(([kind, status]) => {
      const { running, idle, waiting } = status();
      return { kind, running: Number(running), idle: Number(idle), waiting: Number(waiting) };
    });
  extend.gauge({
    name: 'workers',
    description: 'Workers of functions: threads, child processes and Python processes, by whether they run a call',
    unit: '{worker}',
    labels: ['kind', 'state'],
    read: () =>
      counts().flatMap(({ kind, running, idle }) => [
        { labels: { kind, state: 'running' }, value: running },
        { labels: { kind, state: 'idle' }, value: idle },
      ]),
  });
  extend.gauge({
    name: 'workers.waiting',
    description: 'Calls of this process that wait for a worker',
    unit: '{call}',
    read: () => counts().reduce((sum, { waiting }) => sum + waiting, 0),
  });
}
