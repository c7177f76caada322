import { expect } from 'chai';
import type { DiscoverSink, Resource } from '../../../../../../kernel/index.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { source } from '../../../support/client.ts';
import { type EventStream, until, type WireServer, wireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';

const changed = (list: string): string => `notifications/${list}/list_changed`;
const updated = 'notifications/resources/updated';

/** A server whose list of tools is another one after each `grow`, and a resource that changes with `touch`. */
async function growing(): Promise<{ server: WireServer; grow(): Promise<void>; touch(): void }> {
  let count = 0;
  const watches = new Set<() => void>();
  const resource: Resource = {
    uri: 'a:1',
    name: 'a',
    read: () => ({ uri: 'a:1', text: 'x' }),
    watch: (listener) => {
      watches.add(listener);
      return () => void watches.delete(listener);
    },
  };
  const fill = (sink: DiscoverSink): void => {
    for (let number = 0; number < count; number++) sink.addTool(echoTool({ name: `echo_${number}` }), {});
    sink.addResource(resource);
  };
  const server = await wireServer({ more: [source(fill)] });
  return {
    server,
    async grow() {
      count++;
      await server.kernel.reload();
      // Lists are compared, and clients told, after the reload.
      const client = await WireClient.open(server.port);
      await client.request('tools/list');
      await client.end();
    },
    touch: () => {
      for (const listener of watches) listener();
    },
  };
}

/** Returns the messages on the stream so far, after a later message has arrived. */
async function said(client: WireClient, stream: EventStream): Promise<(string | undefined)[]> {
  await client.request('ping');
  return stream.events.map(({ message }) => message?.method);
}

/** The stream of the session, once the server has noticed that the one before is gone. */
const listenAgain = (client: WireClient): Promise<EventStream> =>
  until(async () => {
    const stream = await client.listen();
    return stream.status === 409 ? undefined : stream;
  });

/** Requests and streams that are open. */
const inUse = ({ kernel }: WireServer): number => {
  const { inUse: tenants } = kernel.status()['sessions'] as { inUse: Record<string, { connections: number }> };
  return Object.values(tenants).reduce((sum, { connections }) => sum + connections, 0);
};

/** The same client as one that speaks this version. */
const speaking = (client: WireClient, version: string): WireClient => client.at(client.port, { 'mcp-protocol-version': version });

describe('what is said to a session over HTTP while nobody listens', () => {
  it('is heard when its stream opens', async () => {
    const { server, grow } = await growing();
    const client = await WireClient.open(server.port);
    await grow();
    const stream = await client.listen();
    await stream.first(({ message }) => message?.method === changed('tools'));
  });

  it('is heard once, however often it was said', async () => {
    const { server, grow, touch } = await growing();
    const client = await WireClient.open(server.port);
    await client.request('resources/subscribe', { uri: 'a:1' });
    for (let times = 0; times < 5; times++) {
      await grow();
      touch();
    }
    const stream = await client.listen();
    await stream.first(({ message }) => message?.method === updated);
    expect((await said(client, stream)).filter(Boolean)).to.have.members([changed('tools'), updated]);
  });

  it('is not heard again by who has heard it', async () => {
    const { server, grow, touch } = await growing();
    const client = await WireClient.open(server.port);
    await client.request('resources/subscribe', { uri: 'a:1' });
    const first = await client.listen();
    await grow();
    await first.first(({ message }) => message?.method === changed('tools'));
    await first.drop();
    const second = await listenAgain(client);
    touch();
    await second.first(({ message }) => message?.method === updated);
    expect(second.events.map(({ message }) => message?.method).filter(Boolean)).to.deep.equal([updated]);
  });

  it('is heard by who lost the stream before its first event, in versions without an opening event', async () => {
    const { server, grow } = await growing();
    const client = speaking(await WireClient.open(server.port), '2025-06-18');
    const first = await client.listen();
    await first.drop();
    expect(first.events).to.deep.equal([]);
    // The server has noticed that it is gone.
    await until(() => inUse(server) === 0 || undefined);
    await grow();
    const again = await listenAgain(client);
    await again.first(({ message }) => message?.method === changed('tools'));
  });

  it('is heard by who comes back with the id of the opening event', async () => {
    const { server, grow } = await growing();
    const client = await WireClient.open(server.port);
    const first = await client.listen();
    const { id = '', message } = await first.first(() => true);
    expect(message).to.equal(undefined);
    await first.drop();
    await grow();
    const again = await until(async () => {
      const stream = await client.listen(id);
      return stream.status === 409 ? undefined : stream;
    });
    await again.first(({ message: told }) => told?.method === changed('tools'));
  });

  for (const { version, opens } of [
    { version: '2025-11-25', opens: true },
    { version: '2025-06-18', opens: false },
    { version: '2025-03-26', opens: false },
  ]) {
    it(`begins with ${opens ? 'an' : 'no'} event without data for clients that speak ${version}`, async () => {
      const { server, grow } = await growing();
      const client = speaking(await WireClient.open(server.port), version);
      const stream = await client.listen();
      await grow();
      await stream.first(({ message }) => message?.method === changed('tools'));
      expect(stream.events.filter(({ message }) => message === undefined)).to.have.lengthOf(opens ? 1 : 0);
    });
  }

  it('is every list where what was said had to give way', async () => {
    const big = echoTool({
      name: 'big',
      parameters: {},
      execution: {
        type: 'function',
        handler: (_: unknown, { logger }: { logger: { info(text: string): void } }) => {
          logger.info('half of it');
          return 'x'.repeat(3 * 1024 * 1024);
        },
      },
    });
    let count = 0;
    const fill = (sink: DiscoverSink): void => {
      for (let number = 0; number < count; number++) sink.addTool(echoTool({ name: `echo_${number}` }), {});
    };
    const { port, kernel } = await wireServer({ more: [source(fill)] }, [big]);
    const client = await WireClient.open(port);
    count++;
    await kernel.reload();
    await client.request('tools/list');
    for (let times = 0; times < 3; times++) await client.call('big');
    const stream = await client.listen();
    await stream.first(({ message }) => message?.method === changed('prompts'));
    expect((await said(client, stream)).filter(Boolean)).to.have.members(['tools', 'resources', 'prompts'].map(changed));
  });
});
