import { expect } from 'chai';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { source } from '../../../support/client.ts';
import { askModern, streamModern } from '../../../support/modern-wire.ts';
import { until, wireServer } from '../../../support/wire.ts';

const longMs = 20_000;
const subscription = 'io.modelcontextprotocol/subscriptionId';

const listen = (notifications: object, id: unknown = 'sub') => ({ method: 'subscriptions/listen', params: { notifications }, id });

/** A server whose tools grow with each reload, with a resource that can be changed. */
async function changing(options: Parameters<typeof wireServer>[0] = {}) {
  const watches = new Set<() => void>();
  let times = 0;
  const plugin = source((sink) => {
    for (let index = 0; index < times; index++) sink.addTool(echoTool({ name: `more_${index}` }), { trust: 'operator' });
    times++;
    sink.addResource({
      uri: 'a:1',
      name: 'a',
      read: () => ({ uri: 'a:1', text: 'x' }),
      watch(changed) {
        watches.add(changed);
        return () => void watches.delete(changed);
      },
    });
  });
  const server = await wireServer({ ...options, more: [plugin] });
  return {
    ...server,
    watches,
    change: () => {
      for (const changed of watches) changed();
    },
  };
}

describe('subscriptions/listen over HTTP', () => {
  it('says first what it will tell, and then tells of it, each message with the id of the request', async () => {
    const { port, kernel, change } = await changing();
    const wanted = { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ['a:1', 'none:1'] };
    const stream = await streamModern(port, listen(wanted));
    const first = await stream.first(() => true);
    expect(first.message).to.deep.equal({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:1'] }, _meta: { [subscription]: 'sub' } },
    });
    await kernel.reload();
    change();
    await stream.first(({ message }) => message?.method === 'notifications/resources/updated');
    expect(stream.events.slice(1).map(({ message }) => [message?.method, message?.params])).to.deep.equal([
      ['notifications/tools/list_changed', { _meta: { [subscription]: 'sub' } }],
      ['notifications/resources/updated', { uri: 'a:1', _meta: { [subscription]: 'sub' } }],
    ]);
    await stream.drop();
  });

  it('tells each of several, and none of what it did not ask for', async () => {
    const { port, kernel, change } = await changing();
    const tools = await streamModern(port, listen({ toolsListChanged: true }, 1));
    const resource = await streamModern(port, listen({ resourceSubscriptions: ['a:1'] }, 2));
    await Promise.all([tools, resource].map((stream) => stream.first(() => true)));
    await kernel.reload();
    change();
    await kernel.close({ drainMs: longMs });
    await Promise.all([tools, resource].map((stream) => stream.end()));
    const methods = [tools, resource].map(({ events }) => events.slice(1).map(({ message }) => message?.method ?? message?.id));
    expect(methods).to.deep.equal([
      ['notifications/tools/list_changed', 1],
      ['notifications/resources/updated', 2],
    ]);
  });

  it('ends at once where there is nothing to tell', async () => {
    const { port } = await changing();
    const stream = await streamModern(port, listen({ resourceSubscriptions: ['none:1'] }));
    await stream.end();
    expect(stream.events.map(({ message }) => message?.method ?? message?.id)).to.deep.equal([
      'notifications/subscriptions/acknowledged',
      'sub',
    ]);
  });

  it('watches nothing any more for a client that has gone, and gives its share back', async () => {
    const { port, watches } = await changing({ maxSubscriptions: 1 });
    for (const _time of [1, 2, 3]) {
      const stream = await streamModern(port, listen({ resourceSubscriptions: ['a:1'] }));
      expect((await stream.first(() => true)).message?.params?.['notifications']).to.deep.equal({ resourceSubscriptions: ['a:1'] });
      expect(watches.size).to.equal(1);
      await stream.drop();
      await until(() => watches.size === 0 || undefined);
    }
  });

  for (const [what, notifications, says] of [
    ['no object', [], ': expected object, received array of 0'],
    ['a flag that is a word', { toolsListChanged: 'yes' }, '.toolsListChanged: expected boolean, received string "yes"'],
    ['resources that are no list', { resourceSubscriptions: 'a:1' }, '.resourceSubscriptions: expected array, received string "a:1"'],
    ['resources that are numbers', { resourceSubscriptions: [1] }, '.resourceSubscriptions[0]: expected string, received number 1'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const { port } = await changing();
      const { error } = await askModern(port, listen(notifications));
      expect([error?.code, error?.message]).to.deep.equal([
        -32602,
        `The request subscriptions/listen is wrong: params.notifications${says}`,
      ]);
    });
});
