import { expect } from 'chai';
import {
  type ApprovalEvent,
  type ApprovalHost,
  type ApprovalInbox,
  apiVersion,
  definePlugin,
  type PluginApi,
  type Refusal,
} from '../../../kernel/index.ts';
import { Listeners } from '../../../kernel/taps/listeners.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const listening = (name: string, apply: (api: PluginApi) => void) => definePlugin({ name, apiVersion, apply })();

describe('listeners to events outside the hooks', () => {
  it('are notified in the order in which they were added, each of every event', () => {
    const seen: string[] = [];
    const listeners = new Listeners<string>('a refusal');
    for (const name of ['one', 'two']) listeners.add(name, (event) => void seen.push(`${name} ${event}`));
    for (const event of ['a', 'b']) listeners.report(event, memoryLogger());
    expect(seen).to.deep.equal(['one a', 'two a', 'one b', 'two b']);
  });

  it('do not keep an event from others when one throws, which the log says with its plugin', () => {
    const seen: string[] = [];
    const logger = memoryLogger();
    const listeners = new Listeners<string>('an approval');
    listeners.add('broken', () => {
      throw new Error('the disk is gone');
    });
    listeners.add('whole', (event) => void seen.push(event));
    listeners.report('asked', logger);
    expect(seen).to.deep.equal(['asked']);
    expect(logger.records.map(({ level, message, meta }) => ({ level, message, meta }))).to.deep.equal([
      { level: 'error', message: 'Plugin "broken" failed to record an approval: the disk is gone', meta: { plugin: 'broken' } },
    ]);
  });

  it('may be none', () => {
    const logger = memoryLogger();
    new Listeners<string>('a refusal').report('asked', logger);
    expect(logger.records).to.deep.equal([]);
  });
});

describe('listeners of plugins', () => {
  const protecting = listening('protecting', ({ maskAlso }) => maskAlso('PROTECTED', 'protected-value-1'));

  it('get the refusals of hosts, with secrets masked', async () => {
    const seen: Refusal[] = [];
    const listener = listening('listener', ({ extend }) => extend.refusals((refusal) => void seen.push(refusal)));
    const kernel = await bareKernel({ plugins: [protecting, listener] });
    kernel.reportRefusal({ reason: 'token', status: 401, address: '192.0.2.1', caller: 'protected-value-1', count: 2 });
    expect(seen).to.deep.equal([{ reason: 'token', status: 401, address: '192.0.2.1', caller: '[secret PROTECTED]', count: 2 }]);
  });

  it('get the events of the plugin that keeps approvals, with secrets masked', async () => {
    const seen: ApprovalEvent[] = [];
    let host: ApprovalHost | undefined;
    const keeper = listening('keeper', ({ extend }) =>
      extend.approvalInbox((given) => {
        host = given;
        return {} as ApprovalInbox;
      }),
    );
    const listener = listening('listener', ({ extend }) => extend.approvalEvents((event) => void seen.push(event)));
    await bareKernel({ plugins: [protecting, keeper, listener] });
    host?.report({ event: 'refused', id: 'a-1', by: { way: 'webhook', name: 'protected-value-1' }, reason: 'protected-value-1' });
    expect(seen).to.deep.equal([
      { event: 'refused', id: 'a-1', by: { way: 'webhook', name: '[secret PROTECTED]' }, reason: '[secret PROTECTED]' },
    ]);
  });

  const late: readonly { readonly what: string; readonly add: (api: PluginApi) => void }[] = [
    { what: 'a listener to refusals', add: ({ extend }) => extend.refusals(() => {}) },
    { what: 'a listener to approvals', add: ({ extend }) => extend.approvalEvents(() => {}) },
  ];
  for (const { what, add } of late) {
    it(`are refused after apply: ${what}`, async () => {
      const kernel = await bareKernel({ plugins: [listening('late', (api) => api.hooks.serve.tap('late', () => add(api)))] });
      expect((await rejection(kernel.serve(), 'PLUGIN_INVALID')).message).to.include(`adds ${what} after apply()`);
    });
  }
});
