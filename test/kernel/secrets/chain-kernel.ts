import Type from 'typebox';
import {
  apiVersion,
  type Call,
  type CallContext,
  definePlugin,
  type Kernel,
  type Plugin,
  revealSecret,
  type Secret,
  type SecretSink,
} from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** One request to a resolver: the names, and whether a cached value is acceptable. */
export interface Asked {
  readonly names: readonly string[];
  readonly isFresh: boolean;
}

export interface Resolver {
  readonly plugin: Plugin;
  readonly asked: readonly Asked[];
}

/** A resolver that remembers what it was asked, and answers with `values` (name to value), which may change, or as `answer` says. */
export function resolver(
  values: Readonly<Record<string, string>>,
  { name = 'store', ttlMs, answer }: { name?: string; ttlMs?: number; answer?: (sink: SecretSink) => unknown } = {},
): Resolver {
  const asked: Asked[] = [];
  const give = (sink: SecretSink): void => {
    for (const wanted of sink.missing) if (Object.hasOwn(values, wanted)) sink.provide(wanted, values[wanted] ?? '', ttlMs);
  };
  const plugin = definePlugin({
    name,
    apiVersion,
    apply: ({ hooks }) =>
      hooks.resolveSecrets.tapPromise(name, async (sink) => {
        asked.push({ names: [...sink.missing].sort(), isFresh: sink.isFresh });
        await answer?.(sink);
        give(sink);
      }),
  })();
  return { plugin, asked };
}

type Credentials = ReadonlyMap<string, Secret>;

export interface ChainKernel {
  readonly kernel: Kernel;
  readonly records: readonly LogRecord[];
  /** Calls a tool, and gives the values of its credentials. */
  use(tool: string): Promise<unknown>;
  /** Calls a tool whose service refuses its credentials; gives the new ones, undefined when there are none. */
  refused(tool: string, credentials?: Readonly<Record<string, string>>): Promise<unknown>;
}

/** Values of credentials, in the clear. They leave past the output, which would be masked. */
function valuesOf(credentials: Credentials): Record<string, string> {
  return Object.fromEntries([...credentials].map(([name, secret]) => [name, revealSecret(secret)]));
}

/**
 * A kernel whose tools only take credentials: `tools` gives the text of their execution by name, such as `{A_TOKEN} {account}`.
 * A parameter `account` stands for the secret SHOP_ACCOUNT.
 */
export async function chainKernel(
  resolvers: readonly Resolver[],
  tools: Readonly<Record<string, string>>,
  now: () => number = Date.now,
): Promise<ChainKernel> {
  const logger = memoryLogger();
  const results = new Map<string, unknown>();
  const execute = async (call: Call, context: CallContext): Promise<{ output: null }> => {
    const isRefused = call.parameters['refused'] === true;
    const credentials = isRefused ? await context.renewCredentials(call) : call.credentials;
    results.set(context.callId, credentials === undefined ? undefined : valuesOf(credentials));
    return { output: null };
  };
  const taker = definePlugin({
    name: 'taker',
    apiVersion,
    apply({ extend, hooks }) {
      extend.execution('take', { schema: Type.Object({ text: Type.String() }) });
      hooks.execute.for('take').tapPromise('taker', execute);
      hooks.discover.tap('taker', (sink) => {
        sink.addProvider({ provider: { name: 'shop' }, parameter_mapping: [{ parameter: 'account', env_pattern: 'SHOP_ACCOUNT' }] });
        for (const [name, text] of Object.entries(tools)) {
          const parameters = { refused: { type: 'boolean' }, page: { type: 'string' } };
          sink.addTool({ name, description: 'Takes.', parameters, execution: { type: 'take', text } }, {}, 'shop');
        }
      });
    },
  });
  const plugins = [credentialsPlaceholder(), taker(), ...resolvers.map(({ plugin }) => plugin)];
  const kernel = await bareKernel({ plugins, logger, now });
  const call = async (tool: string, parameters: object, credentials: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const { callId } = await kernel.call({ tool, parameters: { ...parameters }, credentials });
    return results.get(callId);
  };
  return {
    kernel,
    records: logger.records,
    use: (tool) => call(tool, {}),
    refused: (tool, credentials) => call(tool, { refused: true }, credentials),
  };
}
