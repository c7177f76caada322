import type { SourceState } from '../source/source.ts';
import type { Gauge } from './gauges.ts';

/** The parts of a kernel that have numbers of their own. */
export interface MeasuredKernel {
  readonly running: { readonly size: number };
  readonly sources: () => readonly { readonly name: string; readonly state: SourceState }[];
  readonly store: { readonly gauges: readonly Gauge[] };
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
    ...store.gauges,
  ];
}
