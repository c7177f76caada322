import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { callsLong } from '../../../../../../plugins/calls-long/index.ts';
import { readTokensFile } from '../../../../../../plugins/mcp/transports/http/tokens/read-tokens-file.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { saysModern } from '../../../support/modern-client.ts';
import { askModern, streamModern } from '../../../support/modern-wire.ts';
import { replicas } from '../../../support/replicas.ts';
import { dispatch, EventStream, send, token, until, type WireOptions, type WireServer, wireServer } from '../../../support/wire.ts';
import { open, WireClient } from '../../../support/wire-client.ts';
import { Hold } from '../../../support/wire-tools.ts';

const ann = { name: 'ann', token: 'secret-value-of-ann' };
const bob = { name: 'bob', token: 'secret-value-of-bob' };
const hashed = ({ name, token: value }: typeof ann) => ({ name, sha256: hash('sha256', value) });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

/** A server whose tokens are in a file, which `write` replaces. */
async function serving(entries: unknown, options: WireOptions = {}) {
  const folder = await temporaryFolder();
  const tokensFile = path.join(folder, 'tokens.yaml');
  const write = (now: unknown): Promise<void> => writeFile(tokensFile, typeof now === 'string' ? now : JSON.stringify(now));
  await write(entries);
  const hold = new Hold();
  const server = await wireServer({ tokensFile, ...options }, [hold.tool]);
  return { ...server, tokensFile, write, hold, statusFor: async (value: string) => (await open(server.port, bearer(value))).status };
}

const textsOf = ({ records }: Pick<WireServer, 'records'>): string => JSON.stringify(records);

describe('tokens of a file', () => {
  it('open the server by their value and by their SHA-256, beside the others', async () => {
    const { statusFor } = await serving([ann, hashed(bob)]);
    expect(await Promise.all([ann.token, bob.token, token, hashed(bob).sha256, 'another'].map(statusFor))).to.deep.equal([
      200, 200, 200, 401, 401,
    ]);
  });

  it('name the caller', async () => {
    const { port, kernel } = await serving([hashed(bob)]);
    await WireClient.open(port, bob.token);
    expect((kernel.status()['sessions'] as { callers: object }).callers).to.deep.equal({ bob: 1 });
  });

  it('may be none: no token is made up then', async () => {
    const { running, statusFor } = await serving([], { mcpToken: undefined } as never);
    expect(running[0]?.token).to.equal(undefined);
    expect(await statusFor('anything')).to.equal(401);
  });

  it('are read again at a reload: those that are new come in, those that are gone do not', async () => {
    const { kernel, write, statusFor } = await serving([ann]);
    await write([hashed(bob)]);
    await kernel.reload();
    expect(await Promise.all([ann.token, bob.token, token].map(statusFor))).to.deep.equal([401, 200, 200]);
  });

  it('end their sessions, streams and running calls at once when they are gone, and those of no other', async () => {
    const server = await serving([ann, bob]);
    const { port, kernel, hold, write } = server;
    const [gone, stays] = [await WireClient.open(port, ann.token), await WireClient.open(port, bob.token)];
    const streams = [await gone.listen(), await stays.listen()];
    const calls = [await gone.startCall('hold'), await stays.startCall('hold')];
    const [, kept] = [await hold.run(0), await hold.run(1)];
    await write([bob]);
    await kernel.reload();
    await hold.cancelled(0);
    await Promise.all([streams[0]?.end(), calls[0]?.end()]);
    expect((await gone.post({ id: 9, method: 'ping' })).status).to.equal(401);
    expect([streams[1]?.isOver, calls[1]?.isOver, kept.signal.aborted]).to.deep.equal([false, false, false]);
    kept.release();
    await calls[1]?.first(({ message }) => message?.result !== undefined);
    expect((kernel.status()['sessions'] as { callers: object }).callers).to.deep.equal({ bob: 1 });
    expect(textsOf(server)).to.include('gone is that of \\"ann\\"').and.not.include('secret-value');
  });

  it('end the session of a caller that gets another one', async () => {
    const { port, kernel, write } = await serving([ann]);
    const client = await WireClient.open(port, ann.token);
    const renewed = { ...ann, token: 'another-secret-value' };
    await write([renewed]);
    await kernel.reload();
    expect((await client.at(port, bearer(renewed.token)).post({ id: 1, method: 'ping' })).status).to.equal(404);
    expect((await open(port, bearer(renewed.token))).status).to.equal(200);
  });

  it('leave everything as it is where nothing has changed but order, form and rights', async () => {
    const { port, kernel, write, hold } = await serving([ann, bob]);
    const client = await WireClient.open(port, ann.token);
    const call = await client.startCall('hold');
    const run = await hold.run(0);
    await write([hashed(bob), { ...hashed(ann), operator: true }]);
    await kernel.reload();
    expect([run.signal.aborted, call.isOver]).to.deep.equal([false, false]);
    expect(
      Object.keys(JSON.parse((await send(port, { method: 'GET', path: '/health', headers: { ...bearer(ann.token) } })).body)),
    ).to.include('state');
    run.release();
    await call.first(({ message }) => message?.result !== undefined);
  });

  const apart: { title: string; options?: WireOptions; begin: (port: number) => Promise<EventStream> }[] = [
    {
      title: 'a call of 2026-07-28',
      begin: (port) =>
        streamModern(port, {
          method: 'tools/call',
          params: { name: 'hold', arguments: {} },
          headers: bearer(ann.token),
          meta: { progressToken: 'p' },
        }),
    },
    {
      title: 'a call where no session is kept',
      options: { stateless: true },
      begin: async (port) =>
        new EventStream(
          await dispatch(port, {
            headers: bearer(ann.token),
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: 'hold', arguments: {}, _meta: { progressToken: 'p' } },
            }),
          }),
        ),
    },
  ];
  for (const { title, options, begin } of apart)
    it(`end ${title} when they are gone`, async () => {
      const { port, kernel, write, hold } = await serving([ann], options);
      const beginning = begin(port);
      (await hold.run(0)).progress(1);
      const stream = await beginning;
      await write([]);
      await kernel.reload();
      await hold.cancelled(0);
      await stream.end();
    });

  it('end a subscription of 2026-07-28 when they are gone', async () => {
    const { port, kernel, write } = await serving([ann]);
    const stream = await streamModern(port, {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
      headers: bearer(ann.token),
    });
    await write([]);
    await kernel.reload();
    await stream.end();
  });

  it('end a long call that its client has left, when they are gone', async () => {
    const long = new Hold();
    const folder = await temporaryFolder({ 'tokens.yaml': JSON.stringify([ann]) });
    const tokensFile = path.join(folder, 'tokens.yaml');
    const { port, kernel } = await wireServer({ tokensFile, more: [callsLong()] }, [{ ...long.tool, long: true }]);
    const meta = saysModern({}, { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } });
    const { result } = await askModern(port, {
      method: 'tools/call',
      params: { name: 'hold', arguments: {} },
      headers: bearer(ann.token),
      meta,
    });
    expect(result?.['resultType']).to.equal('task');
    expect((await long.run(0)).signal.aborted).to.equal(false);
    await writeFile(tokensFile, '[]');
    await kernel.reload();
    await long.cancelled(0);
  });

  it('end a request whose body is still on its way', async () => {
    const { port, kernel, write, hold } = await serving([ann]);
    const client = await WireClient.open(port, ann.token);
    const { request } = await import('node:http');
    const half = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/mcp',
      headers: {
        ...client.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        expect: '100-continue',
      },
    });
    const broken = new Promise((resolve) => half.once('error', resolve));
    await new Promise<void>((resolve) => {
      half.once('continue', resolve);
      half.flushHeaders();
    });
    await write([]);
    await kernel.reload();
    half.end(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hold', arguments: {} } }));
    await broken;
    expect(hold.runs).to.deep.equal([]);
  });

  const broken: { title: string; text: string; says: string }[] = [
    { title: 'is no YAML', text: '- { name: x, token: "secret-value-of-x }\n', says: 'is no YAML at line' },
    { title: 'is no list', text: 'ann: secret-value-of-x\n', says: 'is no list' },
    { title: 'has an entry without a token', text: '[{ "name": "x" }]', says: 'entry 1: expected either \\"token\\" or \\"sha256\\"' },
    {
      title: 'has both forms in one entry',
      text: JSON.stringify([{ ...hashed(ann), token: 'secret-value-of-x' }]),
      says: 'expected either',
    },
    { title: 'has a number for a token', text: '- { name: x, token: 123456789012 }\n', says: 'write it in quotes' },
    { title: 'has a digest that is too short', text: '- { name: x, sha256: "secret-value" }\n', says: '64 hexadecimal digits' },
    { title: 'has an unknown key', text: '- { name: x, tokne: secret-value }\n', says: '\\"tokne\\" is not known here' },
    {
      title: 'has credentials',
      text: '- { name: x, token: secret-value-of-x, credentials: {} }\n',
      says: 'for \\"tokens\\" of the configuration',
    },
    { title: 'has a blank in a token', text: '- { name: x, token: "secret-value x" }\n', says: 'printable ASCII' },
    {
      title: 'has one token twice, once by its SHA-256',
      text: JSON.stringify([ann, { ...hashed(ann), name: 'x' }]),
      says: 'that of another caller',
    },
    { title: 'has one name twice', text: JSON.stringify([ann, { ...bob, name: 'ann' }]), says: 'names the caller \\"ann\\" twice' },
    { title: 'has the token of the configuration', text: JSON.stringify([{ name: 'x', token }]), says: 'that of another caller' },
    { title: 'has aliases', text: '- &a { name: x, token: secret-value-of-x }\n- *a\n', says: 'without aliases' },
    { title: 'is no UTF-8', text: '\u0000', says: 'expected UTF-8' },
  ];
  for (const { title, text, says } of broken)
    it(`stay those of before where the file ${title}, and the log says so without them`, async () => {
      const server = await serving([ann]);
      const { port, kernel, write, hold, statusFor, tokensFile } = server;
      const client = await WireClient.open(port, ann.token);
      const call = await client.startCall('hold');
      const run = await hold.run(0);
      if (title === 'is no UTF-8') await writeFile(tokensFile, Buffer.from([0xff, 0xfe, 0x41]));
      else await write(text);
      await kernel.reload();
      expect(textsOf(server))
        .to.include(says)
        .and.to.include('The tokens that were loaded before stay in use.')
        .and.not.include('secret-value');
      expect([run.signal.aborted, call.isOver, await statusFor(ann.token)]).to.deep.equal([false, false, 200]);
      run.release();
    });

  it('stay those of before where the file is gone', async () => {
    const server = await serving([ann]);
    await rm(server.tokensFile);
    await server.kernel.reload();
    expect(textsOf(server)).to.include('stay in use');
    expect(await server.statusFor(ann.token)).to.equal(200);
  });

  it('are refused at the start where the file is missing or broken, or other tokens have credentials', async () => {
    const folder = await temporaryFolder({ 'broken.yaml': 'a: 1', 'good.yaml': '[]' });
    await rejection(wireServer({ tokensFile: path.join(folder, 'missing.yaml') }), 'CONFIG_NOT_FOUND');
    await rejection(wireServer({ tokensFile: path.join(folder, 'broken.yaml') }), 'CONFIG_INVALID');
    const own = { tokensFile: path.join(folder, 'good.yaml'), tokens: [{ ...ann, credentials: {} }] };
    await rejection(wireServer(own), 'CONFIG_INVALID');
  });

  it('may be written with a byte order mark, and be an empty file', async () => {
    const folder = await temporaryFolder({ 'bom.yaml': `\ufeff${JSON.stringify([ann])}`, 'empty.yaml': '# nobody yet\n' });
    expect(await readTokensFile(path.join(folder, 'bom.yaml'))).to.deep.equal([{ ...ann, operator: false }]);
    expect(await readTokensFile(path.join(folder, 'empty.yaml'))).to.deep.equal([]);
  });

  it('end sessions, streams and calls at every process that shares them, also where only another one has been told', async () => {
    const folder = await temporaryFolder({ 'tokens.yaml': JSON.stringify([ann, bob]) });
    const tokensFile = path.join(folder, 'tokens.yaml');
    const hold = new Hold();
    const [one, other] = await replicas(2, [hold.tool, echoTool({ name: 'more' })], { tokensFile });
    const [first, second] = [one?.port ?? 0, other?.port ?? 0];
    const shared = await WireClient.open(first, ann.token);
    const there = await WireClient.open(second, ann.token);
    const stays = await WireClient.open(second, bob.token);
    const ends = [
      await shared.at(second).listen(),
      await there.listen(),
      await shared.at(second).startCall('hold'),
      await there.startCall('hold'),
    ];
    const stream = await stays.listen();
    await Promise.all([hold.run(0), hold.run(1)]);
    await writeFile(tokensFile, JSON.stringify([bob]));
    await one?.kernel.reload();
    await Promise.all([hold.cancelled(0), hold.cancelled(1), ...ends.map((one) => one.end())]);
    await until(async () => ((await open(second, bearer(ann.token))).status === 401 ? true : undefined));
    expect([(await there.post({ id: 1, method: 'ping' })).status, (await stays.post({ id: 1, method: 'ping' })).status]).to.deep.equal([
      401, 200,
    ]);
    expect(stream.isOver).to.equal(false);
  });
});
