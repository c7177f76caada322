import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Notification, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { killableServer } from './killable-server.ts';
import { textOf, until } from './program.ts';

const token = 'token-of-the-restarts';

/** With tools of its own. */
const killable = (args: readonly string[] = [], key?: string) => killableServer(token, ['--tool-paths', 'my-tools', ...args], key);

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close().catch(() => {})));
});

/** The official client, what it heard of lists, and how often it opened its stream. */
async function official(url: URL, name = 'restart') {
  const heard: Notification[] = [];
  let streams = 0;
  // For as long as a slow machine takes to start the server.
  const reconnectionOptions = {
    initialReconnectionDelay: 100,
    maxReconnectionDelay: 1000,
    reconnectionDelayGrowFactor: 1.5,
    maxRetries: 1000,
  };
  const transport = new StreamableHTTPClientTransport(url, {
    reconnectionOptions,
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (place, init) => {
      const response = await fetch(place, init);
      if (init?.method === 'GET' && response.ok) streams++;
      return response;
    },
  });
  const client = new Client({ name, version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setNotificationHandler(ToolListChangedNotificationSchema, (notification) => void heard.push(notification));
  closers.push(() => {
    // A client that is closed goes on trying to come back.
    reconnectionOptions.maxRetries = 0;
    return client.close();
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  await until(() => streams > 0 || undefined);
  return { client, transport, heard, streams: () => streams };
}

const words = async (client: Client): Promise<string> =>
  textOf(await client.callTool({ name: 'count_words', arguments: { text: 'a b c' } }));

describe('a client of toolkit mcp that was killed and started again', () => {
  for (const { what, key } of [
    { what: 'the key of its account', key: undefined },
    { what: 'the same TOOLKIT_KEY', key: 'a key of thirty-two bytes or more' },
  ]) {
    it(`goes on in its session with ${what}: calls, lists, and what the server says`, async () => {
      const { url, restart } = await killable([], key);
      const { client, transport, heard, streams } = await official(url);
      const { sessionId } = transport;
      const before = await client.listTools();
      expect(await words(client)).to.include('3');
      await restart();
      expect(await words(client)).to.include('3');
      expect(await client.listTools()).to.deep.equal(before);
      expect((await client.listResources()).resources).to.be.an('array');
      expect(transport.sessionId).to.equal(sessionId);
      await until(() => heard.length > 0 || undefined);
      expect([heard.length, streams()]).to.deep.equal([1, 2]);
    });
  }

  it('is listed by its name what it was listed before', async () => {
    const { url, restart } = await killable(['--expose', 'auto']);
    const named = await Promise.all(['claude-code', 'restart'].map((name) => official(url, name)));
    const counts = () => Promise.all(named.map(async ({ client }) => (await client.listTools()).tools.length));
    const before = await counts();
    expect(before[0]).to.not.equal(before[1]);
    await restart();
    expect(await counts()).to.deep.equal(before);
  });

  it('is told that a call which ran meanwhile is lost', async () => {
    const { url, cwd, restart } = await killable();
    const { client } = await official(url);
    const file = path.join(cwd, 'pids');
    const call = client.callTool({ name: 'nap', arguments: { pid_file: file } }, undefined, { timeout: 170_000 });
    const outcome = call.then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await until(async () => (await readFile(file, 'utf8').catch(() => '')) || undefined);
    await restart();
    expect(await outcome).to.include('The answer to this request was lost: the server was started again while it ran');
  });

  it('is unknown where the key is another one', async () => {
    const { url, restart } = await killable([], 'a key of thirty-two bytes or more');
    const { client } = await official(url);
    await restart('another key of thirty-two bytes or more');
    const error = await words(client).then(
      () => undefined,
      (thrown: { code?: number }) => thrown,
    );
    expect(error).to.have.property('code', 404);
  });
});
