import { apiVersion, ask, createKernel, definePlugin, deny, flattenPlugins, type PluginEntry } from '../../../../../kernel/index.ts';
import { explainCommand } from '../../../../../plugins/cli/commands/explain/command.ts';
import { credentialsPlaceholder } from '../../../../../plugins/credentials-placeholder/index.ts';
import { executorFunction } from '../../../../../plugins/executor-function/index.ts';
import { policyRules } from '../../../../../plugins/policy-rules/index.ts';
import { secretsEnv } from '../../../../../plugins/secrets-env/index.ts';
import { memoryLogger } from '../../../../../plugins/toolkit/testing.ts';
import { invocation } from '../../../../support/invocation.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { echoTool } from '../../../../support/test-kernel.ts';

export interface Explained {
  readonly text: string;
  /** How often a tool has run or somebody was asked. */
  readonly happened: readonly string[];
}

interface Setting {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly plugins?: readonly PluginEntry[];
  /** Beside `OWN_TOKEN`, which is there. */
  readonly env?: Readonly<Record<string, string>>;
  readonly rules?: NonNullable<Parameters<typeof policyRules>[0]>['rules'];
}

/** Runs `toolkit explain` for a tool of a small configuration. Rejects as the command does. */
export async function explained(tool: string, { flags = {}, plugins = [], env = {}, rules = [] }: Setting = {}): Promise<Explained> {
  const happened: string[] = [];
  const given = definePlugin({
    name: 'given',
    apiVersion,
    apply({ hooks }) {
      const handler = (): string => {
        happened.push('run');
        return 'never';
      };
      hooks.discover.tap('given', (sink) => {
        sink.addProvider({ provider: { name: 'shop', description: 'x' } });
        const add = (more: object): void =>
          sink.addTool(echoTool({ execution: { type: 'function', handler }, ...more }), { trust: 'operator' }, 'shop');
        add({ name: 'open' });
        add({ name: 'keyed', secrets: ['OWN_TOKEN', 'OTHER_TOKEN'], risk: 'high' });
      });
      hooks.approve.tap('given', () => {
        happened.push('asked');
        return { approved: true, by: 'given' };
      });
    },
  });
  const list = flattenPlugins([
    executorFunction(),
    given(),
    ...plugins,
    secretsEnv({ env: { OWN_TOKEN: 'value-of-own-token', ...env } }),
    credentialsPlaceholder(),
    policyRules({ rules }),
  ]);
  const cwd = await temporaryFolder();
  let text = '';
  await explainCommand.run(
    invocation({
      arguments: [tool],
      flags,
      createKernel: (_overrides, adapt = (options) => options) => {
        const { plugins, ...rest } = adapt({ plugins: list, logger: memoryLogger(), cwd });
        return createKernel({ ...rest, plugins: flattenPlugins(plugins) });
      },
      write: (more) => {
        text += more;
      },
    }),
  );
  return { text, happened };
}

/** Plugins that do one thing to every call. */
export const rewrite = definePlugin({
  name: 'rewrite',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.beforeExecute.tap('rewrite', (draft) => ({ ...draft, parameters: { ...draft.parameters, text: 'rewritten' } })),
});

export const refuse = definePlugin({
  name: 'refuse',
  apiVersion,
  apply: ({ hooks }) => hooks.beforeExecute.tap('refuse', (draft) => deny(draft, { kind: 'refuse', message: 'not today' })),
});

export const inquire = definePlugin({
  name: 'inquire',
  apiVersion,
  apply: ({ hooks }) => hooks.beforeExecute.tap('inquire', (draft) => ask(draft, { kind: 'inquire', message: 'who wants it?' })),
});

export const fail = definePlugin({
  name: 'fail',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.beforeExecute.tap('fail', () => {
      throw new Error('always');
    }),
});
