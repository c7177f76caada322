import { expect } from 'chai';
import { type CallFilter, type CallPage, type DurableCall, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { checkCalls } from '../../../plugins/engine-local/check-calls.ts';

describe('the check of durable calls', () => {
  const call = (id: string, more: Partial<DurableCall> = {}): DurableCall => ({
    id,
    caller: 'ada',
    tool: 'known',
    status: 'waiting',
    createdAt: 1,
    attempts: 0,
    decisions: [],
    ...more,
  });
  const kernelWith = (list: (filter: CallFilter) => Promise<CallPage>): Pick<Kernel, 'calls' | 'registry'> =>
    ({ calls: { list }, registry: { tools: new Map([['known', {}]]) } }) as never;
  const messages = async (found: readonly DurableCall[], laterVersion?: number): Promise<readonly string[]> => {
    const list = async ({ status }: CallFilter): Promise<CallPage> => ({
      calls: found.filter((one) => one.status === status),
      ...(laterVersion === undefined ? {} : { laterVersion }),
    });
    return (await checkCalls(kernelWith(list))).map(({ state, message }) => `${state}: ${message}`);
  };

  it('says nothing of calls that can go on', async () => {
    expect(await messages([call('a'), call('b', { status: 'running' }), call('c', { status: 'completed', tool: 'gone' })])).to.deep.equal(
      [],
    );
  });

  it('names calls of tools that are not there, and the tools', async () => {
    const found = [call('a', { tool: 'gone' }), call('b', { tool: 'gone', status: 'asked' }), call('c')];
    expect(await messages(found)).to.deep.equal(['warning: 2 durable calls (a, b) of tools that this configuration does not have: gone']);
  });

  it('counts calls of a later version, each once', async () => {
    expect(await messages([], 3)).to.deep.equal([
      'warning: 3 durable calls that a later version of this program wrote, which this one can neither show nor run',
    ]);
  });

  it('names calls of a process that stands still', async () => {
    expect(await messages([call('a', { status: 'running', isStalled: true, tool: 'gone' })])).to.deep.equal([
      'warning: 1 durable call (a) of a process that stands still, which keeps them',
    ]);
  });

  it('leaves a configuration without an engine, and a store that is away, to others', async () => {
    for (const code of ['PLUGIN_INVALID', 'STATE_UNAVAILABLE'] as const) {
      const list = async (): Promise<CallPage> => {
        throw new ToolkitError(code, 'none');
      };
      expect(await checkCalls(kernelWith(list))).to.deep.equal([]);
    }
  });
});
