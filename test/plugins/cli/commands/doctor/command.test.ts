import { expect } from 'chai';
import { apiVersion, definePlugin, type Source, ToolkitError } from '../../../../../kernel/index.ts';
import { doctorCommand } from '../../../../../plugins/cli/commands/doctor/command.ts';
import { executorFunction } from '../../../../../plugins/executor-function/index.ts';
import { invocation } from '../../../../support/invocation.ts';
import { bareKernel, echoTool } from '../../../../support/test-kernel.ts';

const calls: string[] = [];

function toolNamed(name: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const handler = (): null => {
    calls.push(name);
    return null;
  };
  return echoTool({ name, execution: { type: 'function', handler }, ...more });
}

function failing(code: 'UPSTREAM_UNAVAILABLE' | 'AUTH_FAILED'): Source {
  return {
    retryDelayMs: 600_000,
    list() {
      throw new ToolkitError(code, 'it does not answer');
    },
  };
}

const world = definePlugin({
  name: 'world',
  apiVersion,
  apply({ hooks, extend }) {
    hooks.discover.tap('world', (sink) => {
      for (const tool of [toolNamed('greet'), toolNamed('greet_again'), toolNamed('broken', { risk: 'none' })])
        sink.addTool(tool, { trust: 'operator' });
    });
    extend.source('sleepy', failing('UPSTREAM_UNAVAILABLE'));
    extend.source('locked', failing('AUTH_FAILED'));
    extend.source('unaccepted', {
      list({ sink }) {
        sink.addProblem({
          severity: 'warning',
          code: 'APPROVAL_REQUIRED',
          message: 'nothing was accepted: toolkit upstream accept unaccepted',
        });
      },
    });
  },
});

async function doctor(tools: readonly string[]): Promise<{ readonly exitCode: number; readonly found: Readonly<Record<string, string>> }> {
  let exitCode = -1;
  let text = '';
  await doctorCommand.run(
    invocation({
      flags: { tools, json: true },
      createKernel: async () => bareKernel({ plugins: [executorFunction(), world()] }),
      setExitCode: (code) => {
        exitCode = code;
      },
      write: (written) => {
        text += written;
      },
    }),
  );
  const list = JSON.parse(text) as readonly { readonly tool: string; readonly state: string }[];
  return { exitCode, found: Object.fromEntries(list.map(({ tool, state }) => [tool, state])) };
}

describe('toolkit doctor --tools', () => {
  const cases: readonly (readonly [string, string, number, string])[] = [
    ['a tool that can run', 'greet', 0, 'ready'],
    ['a tool of a source that is down', 'sleepy_find', 10, 'later'],
    ['a tool of a source that refuses its credentials', 'locked_find', 11, 'operator'],
    ['a tool of a source that waits for a person', 'unaccepted_find', 11, 'operator'],
    ['a tool with a broken definition', 'broken', 11, 'operator'],
    ['a tool that is nowhere', 'gret', 12, 'unknown'],
  ];
  for (const [what, tool, exitCode, state] of cases)
    it(`ends with ${exitCode} for ${what}`, async () => expect(await doctor([tool])).to.deep.equal({ exitCode, found: { [tool]: state } }));

  it('ends with the highest code of several tools', async () =>
    expect((await doctor(['greet', 'sleepy_find', 'locked_find'])).exitCode).to.equal(11));

  it('takes * for any characters', async () =>
    expect((await doctor(['greet*'])).found).to.deep.equal({ greet: 'ready', greet_again: 'ready' }));

  it('calls no tool', () => expect(calls).to.deep.equal([]));

  it('counts a configuration that cannot be used as work for the operator', async () => {
    const codes: number[] = [];
    await doctorCommand.run(
      invocation({
        flags: { tools: ['greet'] },
        createKernel: async () => {
          throw new ToolkitError('CONFIG_INVALID', 'the plugin "audit" is not installed');
        },
        setExitCode: (code) => void codes.push(code),
        write: () => {},
      }),
    );
    expect(codes).to.deep.equal([11]);
  });
});
