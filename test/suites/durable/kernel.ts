import { setTimeout } from 'node:timers/promises';
import { apiVersion, createKernel, definePlugin, type Kernel, type Logger, type Plugin } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineBullmq } from '../../../plugins/engine-bullmq/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { reserveKeys } from '../../../plugins/shared/definition-files/reserved-keys.ts';
import { storeLibsql } from '../../../plugins/store-libsql/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';

export type EngineName = 'engine-local' | 'engine-bullmq';

export interface Place {
  readonly engine: EngineName;
  /** Path of the file for engine-local, URL of the database for engine-bullmq. */
  readonly store: string;
  /** URL of the service that the tools call. */
  readonly world: string;
  /** Lifetime of a call after its end, in milliseconds. @default a week */
  readonly retentionMs?: number;
}

/** Duration of a call of `act_wait`, in milliseconds. */
const waitMs = 50;

/** A process of the service: 0 calls at the same time for one that only submits. */
export async function durableKernel(
  place: Place,
  concurrency: number,
  keepers: readonly Plugin[] = storeAndEngine(place, concurrency),
): Promise<Kernel> {
  const { world } = place;
  const tool = (name: string, more: object, work: () => Promise<unknown> = async () => {}) => ({
    name,
    description: 'Tells the world.',
    parameters: { name: { type: 'string' } },
    risk: 'medium',
    ...more,
    execution: {
      type: 'function',
      timeout_ms: 600_000,
      handler: async (parameters: { readonly name: string }) => {
        await work();
        if (name === 'act_wait' || name === 'act_nothing') return process.pid;
        await fetch(`${world}/${name}?name=${encodeURIComponent(parameters.name)}&pid=${process.pid}`, { method: 'POST' });
        return parameters.name;
      },
    },
  });
  const tools = [
    tool('act_wait', { risk: 'low' }, () => setTimeout(waitMs)),
    tool('act_nothing', { risk: 'low' }),
    tool('act_plain', {}),
    tool('act_reading', { risk: 'low' }),
    tool('act_repeatable', { annotations: { idempotentHint: true } }),
    tool('act_approved', { requires_approval: true }),
  ];
  // No test kit: it keeps the end of each call, so that the memory of a long queue would grow.
  return createKernel({
    logger: silent,
    plugins: [executorFunction(), validateOutput(), inlineTools(tools), ...keepers, callsOnce(), approvalGate({ mode: 'elicit' })],
  });
}

const silent: Logger = { error() {}, warn() {}, info() {}, debug() {} };

function inlineTools(tools: readonly object[]): Plugin {
  return definePlugin({
    name: 'inline-tools',
    apiVersion,
    apply(api) {
      reserveKeys(api);
      api.hooks.discover.tap('inline-tools', (sink) => {
        for (const tool of tools) sink.addTool(tool, { trust: 'operator' });
      });
    },
  })();
}

function storeAndEngine({ engine, store, retentionMs }: Place, concurrency: number): readonly Plugin[] {
  const options = { concurrency, ...(retentionMs === undefined ? {} : { retentionMs }) };
  return engine === 'engine-local'
    ? [storeLibsql({ path: store }), engineLocal(options)]
    : [storePostgres({ url: store }), engineBullmq({ url: store, ...options })];
}
