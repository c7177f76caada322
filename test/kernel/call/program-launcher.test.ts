import { expect } from 'chai';
import { apiVersion, definePlugin, type Launcher, type LaunchFacts } from '../../../kernel/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel, testKernel } from '../../support/test-kernel.ts';

const setting = (name: string, launcher: Launcher) =>
  definePlugin({ name, apiVersion, apply: (kernel) => void kernel.extend.launcher(launcher) })();

const asItIs: Launcher = async (start) => ({ ...start, key: '', ended: async () => undefined });

const tool = (execution: Readonly<Record<string, unknown>>) => ({
  name: 'probe',
  description: 'Prints.',
  execution: { type: 'command', command: 'echo', args: ['as', 'written'], ...execution },
});

describe('the launcher of programs', () => {
  it('is set by one plugin only', async () => {
    const error = await rejection(bareKernel({ plugins: [setting('one', asItIs), setting('two', asItIs)] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('"two"').and.include('the launcher of programs');
  });

  it('is asked before a program starts, in any order of plugins, and gives what is spawned', async () => {
    const asked: LaunchFacts[] = [];
    const launcher: Launcher = async (start, facts) => {
      asked.push(facts);
      return { ...start, args: ['otherwise'], key: '', ended: async () => undefined };
    };
    const kernel = await testKernel({
      plugins: [executorCommand(), setting('one', launcher)],
      tools: [tool({ network: true, writes: ['git'] })],
    });
    expect((await kernel.call({ tool: 'probe' })).output).to.equal('otherwise\n');
    expect(asked).to.have.length(1);
    expect(asked[0]).to.deep.include({ network: true, writes: ['git'], reads: [] });
  });

  it('says something of the run, which the caller gets with the result and with the error', async () => {
    const launcher: Launcher = async (start) => ({ ...start, key: '', ended: async ({ exitCode }) => `It ended with ${exitCode}.` });
    const kernel = await testKernel({
      plugins: [executorCommand(), setting('one', launcher)],
      tools: [tool({}), { ...tool({ command: 'false' }), name: 'failing' }],
    });
    const { meta, content } = await kernel.call({ tool: 'probe' });
    expect(meta).to.include({ note: 'It ended with 0.' });
    expect(content?.at(-1)).to.deep.equal({ type: 'text', text: 'It ended with 0.' });
    expect((await rejection(kernel.call({ tool: 'failing' }), 'EXECUTION_FAILED')).message).to.include('(It ended with 1.)');
  });

  it('refuses the call by what it throws', async () => {
    const kernel = await testKernel({
      plugins: [executorCommand(), setting('one', () => Promise.reject(new Error('no walls here')))],
      tools: [tool({})],
    });
    expect((await kernel.call({ tool: 'probe' }).catch((error: unknown) => error)) as Error)
      .to.have.property('message')
      .that.includes('no walls here');
  });

  it('is not needed: without one the keys of a definition only inform', async () => {
    const kernel = await testKernel({ plugins: [executorCommand()], tools: [tool({ network: true, writes: ['packages'] })] });
    expect((await kernel.call({ tool: 'probe' })).output).to.equal('as written\n');
  });
});
