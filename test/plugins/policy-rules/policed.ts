import {
  apiVersion,
  type CallEnd,
  type CallRequest,
  definePlugin,
  type Effect,
  type Kernel,
  type PluginEntry,
  type Verdict,
} from '../../../kernel/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { policyRules } from '../../../plugins/policy-rules/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

export type PolicyOptions = NonNullable<Parameters<typeof policyRules>[0]>;
export type Logger = ReturnType<typeof memoryLogger>;

/** Every tool says that it ran, in place of what it would do. */
const instead = definePlugin({
  name: 'instead',
  apiVersion,
  apply: ({ hooks }) => hooks.execute.for('*').tap('instead', () => ({ output: 'ran' })),
});

const anything = { amount: {}, currency: {}, to: {}, at: {}, meta: {}, note: {}, flag: {} };
const noop = { type: 'function', handler: () => 'never' };

const tools = definePlugin({
  name: 'tools-of-the-test',
  apiVersion,
  apply({ extend, hooks }) {
    extend.execution('function', { schema: {} as never });
    hooks.execute.for('function').tap('function', () => undefined);
    hooks.discover.tap('tools', (sink) => {
      sink.addProvider({ provider: { name: 'bank', description: 'x' } });
      sink.addProvider({ provider: { name: 'shop', description: 'x' }, base_url: 'https://shop.example.org/v1' });
      const add = (name: string, more: object, provider?: string): void =>
        sink.addTool({ name, description: 'For the test.', parameters: anything, ...more }, { trust: 'operator' }, provider);
      add('pay', { execution: noop, risk: 'high', tags: ['money', 'write'] }, 'bank');
      add('balance', { execution: noop, risk: 'low', tags: ['money'] }, 'bank');
      add('sum', { execution: noop, risk: 'medium' });
      const http = (method: string, url: string) => ({ execution: { type: 'http', method, url } });
      add('orders', http('get', '/orders'), 'shop');
      add('order_delete', http('delete', '/orders/{note}'), 'shop');
      add('port', http('get', 'https://API.Example.com.:8443/x/{note}'));
      add('anywhere', { ...http('get', '{to}'), risk: 'low' });
      add('region', http('post', 'https://{to}.example.com/x'));
      add('suffix', http('get', 'https://api.example.com{to}'));
      add('bare', http('get', 'https://api.example.com'));
      add('query', http('get', 'https://api.example.com?x={note}'));
      const id = { type: 'integer' };
      const ids = { type: 'object', properties: { ids: { type: 'array', items: id } } };
      add('transfer', { ...http('get', 'https://api.example.com/{id}?x={note}'), parameters: { id, ids, note: { type: 'string' } } });
      add('slashes', http('get', 'https:///api.example.com{to}/x'));
    });
  },
});

export interface Policed {
  readonly kernel: Kernel;
  readonly folder: string;
  readonly logger: Logger;
  /** The verdict on a call: what the policy made of it. */
  effectOf(call: CallRequest): Promise<Effect>;
  /** The whole verdict. */
  verdictOf(call: CallRequest): Promise<Verdict>;
  /** The reasons with which the call was held. */
  reasonsOf(call: CallRequest): Promise<readonly string[]>;
}

interface Surroundings {
  readonly files?: Readonly<Record<string, string>>;
  readonly plugins?: readonly PluginEntry[];
  readonly logger?: Logger;
}

/** A kernel with a few tools that do nothing, and the policy. */
export async function policed(
  options: PolicyOptions,
  { files = {}, plugins = [], logger = memoryLogger() }: Surroundings = {},
): Promise<Policed> {
  const folder = await temporaryFolder(files);
  const ends: CallEnd[] = [];
  const trail = definePlugin({
    name: 'trail',
    apiVersion,
    apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)),
  });
  const kernel = await bareKernel({
    plugins: [tools(), executorHttp(), instead(), ...plugins, policyRules(options), trail()],
    cwd: folder,
    logger,
  });
  const verdictOf = async (call: CallRequest): Promise<Verdict> => {
    await kernel.call(call).catch(() => {});
    const end = ends.at(-1);
    if (end === undefined) throw new Error('the call has not settled');
    const { outcome, verdict } = end;
    // Anything else has ended the call before it was judged.
    if (outcome.type === 'failed' && !['POLICY_DENIED', 'APPROVAL_REQUIRED', 'APPROVAL_DENIED'].includes(outcome.error.code))
      throw outcome.error;
    return verdict;
  };
  return {
    kernel,
    folder,
    logger,
    verdictOf,
    effectOf: async (call) => (await verdictOf(call)).effect,
    reasonsOf: async (call) => (await verdictOf(call)).reasons.map(({ message }) => message),
  };
}
