import type { PluginApi } from '../../kernel/index.ts';
import { type Circuit, circuitStates } from './circuit.ts';

/** Adds the number of circuits by state. Hosts and tenants are no labels: there is no end of them. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>, circuits: () => Iterable<Pick<Circuit, 'state'>>): void {
  extend.gauge({
    name: 'circuits',
    description: 'Circuits of this process, one for each origin and tenant. An open one refuses requests',
    unit: '{circuit}',
    labels: ['state'],
    read() {
      const states = [...circuits()].map(({ state }) => state);
      return circuitStates.map((state) => ({ labels: { state }, value: states.filter((each) => each === state).length }));
    },
  });
}
