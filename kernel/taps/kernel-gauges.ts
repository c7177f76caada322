import type { StoreNumbers } from '../state/store-numbers.ts';
import type { Gauge } from './gauges.ts';

/** The parts of a kernel that have numbers of their own. */
export interface MeasuredKernel {
  readonly running: { readonly size: number };
  readonly sources: () => readonly { readonly name: string; readonly state: string }[];
  readonly store: Pick<StoreNumbers, 'all'>;
}

/** Returns the kernel's own gauges. */
export function kernelGauges({ running, sources, store }: MeasuredKernel): readonly Gauge[] {
  return [
    {
      name: 'calls.running',
      description: 'Calls of this process that have begun and not ended, those included that wait for a slot or a person',
      unit: '{call}',
      read: () => running.size,
    },
    {
      name: 'sources',
      description: 'Sources of tools, such as MCP servers and OpenAPI documents: 1 for each, with its present state',
      unit: '{source}',
      labels: ['source', 'state'],
      read: () => sources().map(({ name, state }) => ({ labels: { source: name, state }, value: 1 })),
    },
    {
      name: 'store.operations',
      description: 'Operations of the store that a plugin has set, those of the memory of a process not included',
      unit: '{operation}',
      kind: 'counter',
      labels: ['operation', 'outcome'],
      read: () =>
        store.all.flatMap(({ operation, ok, failed }) => [
          { labels: { operation, outcome: 'ok' }, value: ok },
          { labels: { operation, outcome: 'failed' }, value: failed },
        ]),
    },
    {
      name: 'store.operation.time',
      description: 'Time that the operations of the store took, failed ones included',
      unit: 's',
      kind: 'counter',
      labels: ['operation'],
      read: () => store.all.map(({ operation, seconds }) => ({ labels: { operation }, value: seconds })),
    },
  ];
}
