import { apiVersion, definePlugin, type Kernel, type Plugin, type StateStore } from '../../kernel/index.ts';
import { approvalGate } from '../../plugins/approval-gate/index.ts';
import { callsOnce } from '../../plugins/calls-once/index.ts';
import { testKernel } from './test-kernel.ts';

/** The tools of `fixtures/stores`, defined as there, in a kernel of today. */
export interface EarlierTools {
  /** Parameters `name` of the calls that ran here. */
  readonly effects: string[];
  readonly kernel: Kernel;
  readonly store: StateStore;
}

export async function kernelOfEarlierTools(store: StateStore, engine: Plugin): Promise<EarlierTools> {
  const effects: string[] = [];
  const tool = (name: string, more: object = {}) => ({
    name,
    description: 'Does something.',
    parameters: { name: { type: 'string' } },
    risk: 'medium',
    ...more,
    execution: {
      type: 'function',
      timeout_ms: 600_000,
      handler: ({ name: effect }: { readonly name: string }) => {
        effects.push(effect);
        return { done: effect };
      },
    },
  });
  const kernel = await testKernel({
    plugins: [
      definePlugin({ name: 'state-store', apiVersion, apply: ({ extend }) => extend.stateStore(store) })(),
      callsOnce(),
      approvalGate({ mode: 'elicit' }),
      engine,
    ],
    tools: [
      tool('act_plain'),
      tool('act_reading', { risk: 'low', annotations: { readOnlyHint: true } }),
      tool('act_repeatable', { annotations: { idempotentHint: true } }),
      tool('act_approved', { requires_approval: true }),
    ],
  });
  return { kernel, store, effects };
}
