import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { acceptsGzip, JsonAnswers } from '../../../../../plugins/mcp/transports/http/reply.ts';
import { echoTool } from '../../../../support/test-kernel.ts';
import { dispatch, EventStream, token, until, wireServer } from '../../support/wire.ts';
import { WireClient } from '../../support/wire-client.ts';
import { Hold } from '../../support/wire-tools.ts';

/** Tools whose list has over 16 kB, and is much smaller compressed. */
const many = Array.from({ length: 40 }, (_, n) =>
  echoTool({ name: `shop_list_${n}`, description: 'Lists what the shop has. '.repeat(20) }),
);

/** The answer to a request as it travels. */
async function answerTo(client: WireClient, method: string, headers: Readonly<Record<string, string>> = {}, params: object = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params });
  const response = await dispatch(client.port, { headers: { ...client.headers, ...headers }, body });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

describe('a long list over HTTP', () => {
  it('arrives compressed where the client takes gzip, and says the same', async () => {
    const { port } = await wireServer({}, many);
    const client = await WireClient.open(port);
    const plain = await answerTo(client, 'tools/list');
    const packed = await answerTo(client, 'tools/list', { 'accept-encoding': 'gzip, deflate' });
    expect(plain.headers).to.include({ 'content-type': 'application/json', 'content-length': String(plain.body.length) });
    expect(plain.headers).to.not.have.property('content-encoding');
    expect(packed.headers).to.include({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect(packed.headers['content-length']).to.equal(String(packed.body.length));
    expect(packed.body.length).to.be.below(plain.body.length / 5);
    expect(gunzipSync(packed.body).equals(plain.body)).to.equal(true);
    expect(JSON.parse(plain.body.toString())).to.have.nested.property('result.tools.length', many.length + 1);
  });

  it('tells caches what it depends on, and its session', async () => {
    const { port } = await wireServer({}, many);
    const client = await WireClient.open(port);
    for (const headers of [{}, { 'accept-encoding': 'gzip' }] as const)
      expect((await answerTo(client, 'tools/list', headers)).headers).to.include({
        vary: 'Origin, Accept-Encoding',
        'mcp-session-id': client.sessionId,
      });
  });

  it('is read by the official client, which takes gzip by itself', async () => {
    const { port } = await wireServer({}, many);
    const encodings: (string | null)[] = [];
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (String(init?.body).includes('tools/list')) encodings.push(response.headers.get('content-encoding'));
          return response;
        },
      }) as Parameters<typeof client.connect>[0],
    );
    expect((await client.listTools()).tools).to.have.lengthOf(many.length + 1);
    expect(encodings).to.deep.equal(['gzip']);
    await client.close();
  });

  it('is answered beside the others, each under its own id', async () => {
    const { port } = await wireServer({}, many);
    const client = await WireClient.open(port);
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'tools/list', 'ping'];
    const answers = await Promise.all(methods.map((method) => client.request(method)));
    expect(answers.map(({ result = {} }) => Object.keys(result)[0])).to.deep.equal([
      'tools',
      'prompts',
      'resources',
      'resourceTemplates',
      'tools',
      undefined,
    ]);
  });
});

describe('an answer over HTTP that is not compressed', () => {
  const gzip = { 'accept-encoding': 'gzip' };

  it('is a short list', async () => {
    const { port } = await wireServer();
    const { headers, body } = await answerTo(await WireClient.open(port), 'tools/list', gzip);
    expect(headers).to.include({ 'content-type': 'application/json' }).and.not.have.property('content-encoding');
    expect(JSON.parse(body.toString())).to.have.nested.property('result.tools.length', 1);
  });

  it('is a refused list', async () => {
    const { port } = await wireServer({}, many);
    const { headers, body } = await answerTo(await WireClient.open(port), 'tools/list', gzip, { cursor: 'x' });
    expect(headers).to.not.have.property('content-encoding');
    expect(JSON.parse(body.toString())).to.have.nested.property('error.code', -32602);
  });

  it('is a stream, whose messages come while the call runs', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const client = await WireClient.open(port);
    const params = { name: 'hold', arguments: {}, _meta: { progressToken: 'steps' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params });
    const response = await dispatch(port, { headers: { ...client.headers, ...gzip }, body });
    expect(response.headers).to.include({ 'content-type': 'text/event-stream' }).and.not.have.property('content-encoding');
    const stream = new EventStream(response);
    const run = await hold.run(0);
    run.progress(1);
    await stream.first(({ message }) => message?.params?.['progress'] === 1);
    run.release();
    await stream.first(({ message }) => message?.id === 'a');
  });
});

describe('Accept-Encoding', () => {
  const cases: readonly (readonly [string | undefined, boolean])[] = [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['*', true],
    ['gzip, deflate, br', true],
    ['deflate, gzip;q=1.0, *;q=0.5', true],
    ['br;q=1.0,gzip ; q=0.001', true],
    ['identity;q=0, gzip', true],
    ['identity;q=0.5, gzip;q=0.5', true],
    ['deflate, br', false],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['identity, gzip;q=0.5', false],
    ['identity', false],
    ['gzip;q=x', false],
    ['gzipped', false],
  ];
  for (const [header, accepts] of cases) {
    it(`${JSON.stringify(header)} ${accepts ? 'takes' : 'does not take'} gzip`, () => {
      expect(acceptsGzip(header)).to.equal(accepts);
    });
  }
});

describe('a list that several clients ask for', () => {
  it('is compressed once, until there is another one', async () => {
    const compressed: string[] = [];
    const answers = new JsonAnswers(async (text) => {
      compressed.push(text[0] ?? '');
      return gzipSync(text);
    });
    const sent: string[] = [];
    const response = { writeHead: () => ({ end: (body: Buffer) => void sent.push(gunzipSync(body).toString()) }) };
    const lists = [...'aaabba'].map((letter) => letter.repeat(20_000));
    for (const list of lists)
      answers.send({ headers: { 'accept-encoding': 'gzip' } }, response as never, list, { sessionId: 's', canCompress: true });
    await until(() => sent.length === lists.length || undefined);
    expect(sent).to.deep.equal(lists);
    expect(compressed.join('')).to.equal('aba');
  });
});
