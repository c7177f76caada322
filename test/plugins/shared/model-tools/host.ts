import type { CallEnd, Kernel, PluginEntry } from '../../../../kernel/index.ts';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { type ApprovalGateOptions, approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { outputBudget } from '../../../../plugins/output-budget/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

export const secret = 'value-of-bank-token-4711';

export const png = 'iVBORw0KGgo=';

export interface World {
  readonly kernel: Kernel;
  /** The runs of all tools, as `name parameters`. */
  readonly ran: string[];
  readonly ends: CallEnd[];
}

interface Setting {
  readonly gate?: ApprovalGateOptions;
  readonly plugins?: readonly PluginEntry[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
}

type Handler = (parameters: Readonly<Record<string, unknown>>, context: FunctionContext) => unknown;

/** A kernel with tools of every kind that matters to a model, of a provider `bank`. */
export async function world({ gate = {}, plugins = [], tools = [] }: Setting = {}): Promise<World> {
  const ran: string[] = [];
  const ends: CallEnd[] = [];
  const define = (name: string, handler: Handler, more: Readonly<Record<string, unknown>> = {}) =>
    echoTool({
      name,
      description: `Test: ${name}.`,
      provider: 'bank',
      execution: {
        type: 'function',
        handler: (parameters: Readonly<Record<string, unknown>>, context: FunctionContext) => {
          ran.push(`${name} ${JSON.stringify(parameters)}`);
          return handler(parameters, context);
        },
      },
      ...more,
    });
  const text = { text: { type: 'string', required: true }, note: { type: 'string' } };
  const trail = definePlugin({ name: 'trail', apiVersion, apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)) });
  const kernel = await testKernel({
    plugins: [
      secretsEnv({ env: { BANK_TOKEN: secret } }),
      credentialsPlaceholder(),
      approvalGate(gate),
      outputBudget({ maxCharacters: 2000 }),
      trail(),
      ...plugins,
    ],
    providers: [{ provider: { name: 'bank' } }],
    tools: [
      define('bank_echo', (parameters) => parameters, { parameters: text, tags: ['plain'], output_schema: { type: 'object' } }),
      define('bank_pay', () => ({ paid: true }), {
        parameters: { amount: { type: 'number', required: true }, to: { type: 'string' } },
        requires_approval: true,
        risk: 'high',
      }),
      define('bank_leak', async (_parameters, { secrets }) => `the token is ${await secrets['BANK_TOKEN']}`, {
        parameters: {},
        secrets: ['BANK_TOKEN'],
      }),
      define('bank_fail', () => Promise.reject(new Error('the vault is locked')), { parameters: {} }),
      define(
        'bank_progress',
        async (_parameters, context) => {
          context.progress({ progress: 1, total: 2, message: 'counting' });
          return 'counted';
        },
        { parameters: {} },
      ),
      define(
        'bank_wait',
        (_parameters, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        {
          parameters: {},
        },
      ),
      define('bank_long', () => 'x'.repeat(5000), { parameters: {} }),
      define(
        'bank_picture',
        (_parameters, context) => context.withContent('a picture', [{ type: 'image', data: png, mimeType: 'image/png' }]),
        {
          parameters: {},
        },
      ),
      ...tools,
    ],
  });
  return { kernel, ran, ends };
}
