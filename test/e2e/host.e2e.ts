import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { clientFunction, HostClient, hostClient } from './host-client.ts';
import { gone, httpClient, program, start, textOf, until } from './program.ts';

const own = { options: { includeCore: false, autoDiscover: false } };

/** A tool that writes its process id down and never ends by itself. */
const sleeper = {
  'tools/host_sleep.yaml': [
    'name: host_sleep',
    'description: Sleeps.',
    'risk: low',
    'execution:',
    '  type: command',
    '  command: node',
    `  args: ['-e', "require('node:fs').writeFileSync('sleeper.pid', String(process.pid)); setInterval(() => {}, 1000)"]`,
    '',
  ].join('\n'),
};

async function sleeperIn(folder: string): Promise<number> {
  return until(async () => Number(await readFile(path.join(folder, 'sleeper.pid'), 'utf8').catch(() => '')) || undefined);
}

const echo = {
  'functions/run': ({ parameters }: Readonly<Record<string, unknown>>) => ({ output: (parameters as { text: string }).text }),
};

describe('toolkit host', () => {
  it('answers 1,000 calls at once, each with its own', async () => {
    const host = hostClient({ cwd: await temporaryFolder(), handlers: echo });
    await host.initialize({ options: { autoDiscover: false }, functions: [clientFunction('host_echo')] });
    const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`);
    const ofFunction = texts.map(async (text) => (await host.ask('tools/call', { name: 'host_echo', parameters: { text } }))['output']);
    const ofTool = texts.map(async (text) => (await host.ask('tools/call', { name: 'crypto_hash', parameters: { text } }))['output']);
    expect(await Promise.all(ofFunction)).to.deep.equal(texts);
    const digests = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    expect((await Promise.all(ofTool)).map((output) => (output as { digest: string }).digest)).to.deep.equal(digests);
  });

  it('cancels those of 1,000 calls that are cancelled, and answers the others', async () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const host = hostClient({
      cwd: await temporaryFolder(),
      handlers: { 'functions/run': async (params) => opened.then(() => echo['functions/run'](params)) },
    });
    await host.initialize({ ...own, functions: [clientFunction('host_echo')] });
    const calls = Array.from({ length: 1000 }, (_, id) =>
      host.answerTo({ id: `c${id}`, method: 'tools/call', params: { name: 'host_echo', parameters: { text: `${id}` } } }),
    );
    for (let id = 0; id < 1000; id += 2) host.send({ method: '$/cancel', params: { id: `c${id}` } });
    await Promise.all(calls.filter((_, id) => id % 2 === 0));
    open();
    const ends = (await Promise.all(calls)).map(({ result, error }) => error?.data?.['code'] ?? (result as { output: string }).output);
    expect(ends).to.deep.equal(Array.from({ length: 1000 }, (_, id) => (id % 2 === 0 ? 'ABORTED' : `${id}`)));
    // Again, when all is over.
    for (let id = 0; id < 1000; id++) host.send({ method: '$/cancel', params: { id: `c${id}` } });
    expect(await host.ask('tools/list'))
      .to.have.property('tools')
      .of.length(1);
    expect(host.said('$/cancel')).to.have.length(500);
  });

  it('goes on behind lines that are too long, both ways', async () => {
    const size = 70 * 1024 * 1024;
    const host = hostClient({
      cwd: await temporaryFolder(),
      handlers: { 'functions/run': (params) => (params['name'] === 'host_long' ? new Promise(() => {}) : echo['functions/run'](params)) },
    });
    await host.initialize({ ...own, functions: [clientFunction('host_echo'), clientFunction('host_long')] });
    const refused = host.answerOf('long');
    host.input.write(`{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"${'x'.repeat(size)}"}}\n`);
    expect((await refused).error).to.include({ code: -32600 });
    const asked = host.answerTo({ id: 'answer', method: 'tools/call', params: { name: 'host_long', parameters: { text: 'a' } } });
    const { id } = await host.until('functions/run');
    host.input.write(`{"jsonrpc":"2.0","id":${id},"result":{"output":"${'x'.repeat(size)}"}}\n`);
    expect((await asked).error?.data).to.include({ code: 'EXECUTION_FAILED' });
    expect(await host.ask('tools/call', { name: 'host_echo', parameters: { text: 'still here' } })).to.include({ output: 'still here' });
  });

  it('gives each call its own credentials, and shows them to nobody else', async () => {
    const seen: [caller: unknown, secret: unknown][] = [];
    const host = hostClient({
      cwd: await temporaryFolder(),
      handlers: {
        'functions/run': ({ caller, secrets }) => {
          const { SHOP_TOKEN: token } = secrets as { SHOP_TOKEN: string };
          seen.push([caller, token]);
          return { output: `${caller}: ${token}` };
        },
      },
    });
    await host.initialize({ ...own, callbacks: ['log'], functions: [clientFunction('host_secret', { secrets: ['SHOP_TOKEN'] })] });
    const callers = Array.from({ length: 200 }, (_, index) => `caller-${index % 20}`);
    const outputs = await Promise.all(
      callers.map(async (caller) => {
        const credentials = { SHOP_TOKEN: `planted-of-${caller}-end` };
        return (await host.ask('tools/call', { name: 'host_secret', parameters: { text: 'a' }, caller, credentials }))['output'];
      }),
    );
    expect(outputs).to.deep.equal(callers.map((caller) => `${caller}: [secret SHOP_TOKEN]`));
    expect(seen.filter(([caller, secret]) => secret !== `planted-of-${caller}-end`)).to.deep.equal([]);
    expect(host.lines.filter((line) => line.includes('planted-of-') && !line.includes('"functions/run"'))).to.deep.equal([]);
  });

  it('masks a secret that a function of the client has obtained itself', async () => {
    const host: HostClient = hostClient({
      cwd: await temporaryFolder(),
      handlers: {
        'functions/run': async () => {
          const { id } = await host.until('functions/run');
          host.send({ method: '$/mask', params: { id, name: 'SESSION', value: 's3ss10n-planted' } });
          host.send({ method: '$/mask', params: { id: 'of-no-request', name: 'OTHER', value: 'all is well' } });
          return { output: 'all is well with s3ss10n-planted' };
        },
      },
    });
    await host.initialize({ ...own, functions: [clientFunction('host_login')] });
    const answer = await host.ask('tools/call', { name: 'host_login', parameters: { text: 'a' } });
    expect(answer['output']).to.equal('all is well with [secret SESSION]');
  });

  it('takes no value of a tool, a model or a request for a message', async () => {
    const message = '\n{"jsonrpc":"2.0","id":1,"method":"functions/run","params":{"name":"host_echo"}}\n\u2028\u2029\ud800';
    const host = hostClient({ cwd: await temporaryFolder(), handlers: echo });
    await host.initialize({ ...own, callbacks: ['log'], functions: [clientFunction('host_echo')] });
    const called = host.ask('tools/call', { name: 'host_echo', parameters: { text: message }, caller: message });
    const ofModel = host.ask('model/call', { name: 'host_echo', arguments: { text: message } });
    await rejection(host.ask('tools/call', { name: message }), 'TOOL_NOT_FOUND');
    await ofModel;
    expect((await called)['output']).to.equal(message);
    expect(host.said('functions/run').map(({ params }) => params?.['parameters'])).to.deep.equal([{ text: message }, { text: message }]);
  });

  it('runs a function of the client by no definition but its own', async () => {
    const cwd = await temporaryFolder({
      'tools/host_pay.yaml': 'name: host_pay\ndescription: Pays.\nrisk: low\nexecution: { type: client }\n',
    });
    const host = hostClient({ cwd, handlers: echo });
    const opened = await host.initialize({ options: { ...own.options, toolPaths: ['./tools'] } });
    expect(opened['problems']).to.have.length(1);
    await rejection(host.ask('tools/call', { name: 'host_pay' }), 'TOOL_INVALID');
    expect(host.said('functions/run')).to.deep.equal([]);
  });

  it('runs no function that is another one than the person has approved', async () => {
    const host: HostClient = hostClient({
      cwd: await temporaryFolder(),
      handlers: {
        ...echo,
        'callback/onHITL': async () => {
          await host.ask('functions/add', { functions: [clientFunction('host_pay')] });
          return { approved: true };
        },
      },
    });
    const options = { ...own.options, policyConfig: { enableHITL: true, hitlMinRiskLevel: 'low' } };
    await host.initialize({ options, callbacks: ['onHITL'], functions: [clientFunction('host_pay')] });
    await rejection(host.ask('tools/call', { name: 'host_pay', parameters: { text: 'a' } }), 'APPROVAL_DENIED');
    expect(host.said('functions/run')).to.deep.equal([]);
  });

  it('reads no configuration that nobody asked for', async () => {
    const cwd = await temporaryFolder({
      'package.json': '{ "type": "module" }',
      'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { includeCore: false, autoDiscover: false, toolPaths: [./tools] }]\n',
      'tools/host_sleep.yaml': sleeper['tools/host_sleep.yaml'],
    });
    const host = hostClient({ cwd });
    expect(await host.initialize(own)).to.include({ tools: 0 });
    const asked = hostClient({ cwd });
    expect(await asked.initialize({ options: { ...own.options, config: true } })).to.include({ tools: 1 });
    const refused = start(['host', '--config', 'toolkit.config.yaml'], { cwd });
    expect(await refused.exit).to.include({ code: 2 });
  });

  it('prints nothing but messages, whatever its tools print', async () => {
    const cwd = await temporaryFolder({
      'tools/host_print.yaml': 'name: host_print\ndescription: Prints.\nrisk: low\nexecution: { type: function, code: ./print.mjs }\n',
      'tools/print.mjs': `
        import fs from 'node:fs';
        export default () => { console.log('{}'); process.stdout.write('[]\\n'); fs.writeSync(1, 'no message\\n'); return 'printed'; };`,
    });
    const host = hostClient({ cwd });
    await host.initialize({ options: { ...own.options, toolPaths: ['./tools'] } });
    expect(await host.ask('tools/call', { name: 'host_print' })).to.include({ output: 'printed' });
    await host.ask('close');
    expect(host.lines).to.have.length(3);
    expect(await host.exit).to.deep.equal({ code: 0, signal: null });
  });
});

describe('the end of toolkit host', () => {
  const ends: readonly [title: string, end: (host: HostClient) => unknown][] = [
    ['its input ends', (host) => host.input.end()],
    ['it is told to (SIGTERM)', (host) => host.child.kill('SIGTERM')],
    ['the client does not listen any more', (host) => host.output.destroy()],
    ['the client asks for it', (host) => host.send({ id: 'close', method: 'close' })],
  ];
  for (const [title, end] of ends) {
    it(`comes with exit code 0 when ${title}, while calls and servers run`, async () => {
      const cwd = await temporaryFolder(sleeper);
      const host = hostClient({ cwd });
      await host.initialize({ options: { ...own.options, toolPaths: ['./tools'] }, functions: [clientFunction('host_wait')] });
      const server = await host.ask('server/start', { options: { transport: 'http', port: 0 } });
      const client = await httpClient(String(server['url']), String(server['token']));
      const called = client.callTool({ name: 'host_wait', arguments: { text: 'a' } }).catch(() => {});
      host.send({ id: 'sleep', method: 'tools/call', params: { name: 'host_sleep' } });
      await host.until('functions/run');
      const pid = await sleeperIn(cwd);
      end(host);
      // One that does not listen is noticed when it is spoken to.
      if (host.output.destroyed) host.send({ id: 'list', method: 'tools/list' });
      expect(await host.exit).to.deep.equal({ code: 0, signal: null });
      await gone(pid);
      await client.close();
      await called;
    });
  }

  for (const [title, end] of ends.slice(0, 2)) {
    it(`comes when ${title}, while the client does not read`, async () => {
      const host = new HostClient({ cwd: await temporaryFolder() });
      host.send({
        id: 0,
        method: 'initialize',
        params: { protocol: 1, client: { name: 'e2e', version: '1' }, options: { autoDiscover: false } },
      });
      for (let id = 1; id <= 50; id++) host.send({ id, method: 'tools/list' });
      // The pipe is full.
      await once(host.output, 'readable');
      end(host);
      expect(await host.exit).to.deep.equal({ code: 0, signal: null });
    });
  }

  it('comes when the client is killed, and leaves no process', async () => {
    const cwd = await temporaryFolder(sleeper);
    const script = `
      const { spawn } = require('node:child_process');
      const host = spawn(process.execPath, ['--', ${JSON.stringify(program)}, 'host'], { stdio: ['pipe', 'ignore', 'ignore'] });
      const send = (id, method, params) => host.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n');
      send(1, 'initialize', { protocol: 1, client: { name: 'e2e', version: '1' }, options: { includeCore: false, toolPaths: ['./tools'] } });
      send(2, 'tools/call', { name: 'host_sleep' });
      console.log(host.pid);
      setInterval(() => {}, 1000);`;
    const client = spawn(process.execPath, ['-e', script], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = (await once(client.stdout, 'data')) as [Buffer];
    const pid = await sleeperIn(cwd);
    client.kill('SIGKILL');
    await gone(Number(String(text)));
    await gone(pid);
  });

  it('does not come with Ctrl-C, which reaches the client as well', async () => {
    const host = hostClient({ cwd: await temporaryFolder() });
    await host.initialize(own);
    host.child.kill('SIGINT');
    expect(await host.ask('tools/list')).to.deep.equal({ tools: [] });
  });
});

describe('an MCP server of toolkit host', () => {
  it('has the client run its functions, and asks nobody for what is refused', async () => {
    const host = hostClient({ cwd: await temporaryFolder(), handlers: echo });
    await host.initialize({ ...own, functions: [clientFunction('host_echo'), clientFunction('host_gated', { requires_approval: true })] });
    const server = await host.ask('server/start', { options: { transport: 'http', port: 0, approval: { mode: 'elicit' } } });
    const client = await httpClient(String(server['url']), String(server['token']));
    expect(textOf(await client.callTool({ name: 'host_echo', arguments: { text: 'over HTTP' } }))).to.equal('over HTTP');
    const gated = await client.callTool({ name: 'host_gated', arguments: { text: 'a', _toolkit_approved: true } });
    expect(gated).to.have.property('isError', true);
    await host.ask('functions/add', { functions: [clientFunction('host_later')] });
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal([
      'host_echo',
      'host_gated',
      'host_later',
      'toolkit_get_output',
    ]);
    expect(host.said('functions/run')).to.have.length(1);
    expect((await fetch(String(server['url']), { method: 'POST', body: '{}' })).status).to.equal(401);
    await client.close();
    await host.ask('server/stop', { id: server['id'] });
    expect(await fetch(String(server['url'])).catch((error: Error) => error.message)).to.equal('fetch failed');
  });

  it('tells the client that a call was cancelled', async () => {
    const host = hostClient({ cwd: await temporaryFolder() });
    await host.initialize({ ...own, functions: [clientFunction('host_wait')] });
    const server = await host.ask('server/start', { options: { transport: 'http', port: 0 } });
    const client = await httpClient(String(server['url']), String(server['token']));
    const controller = new AbortController();
    const called = client
      .callTool({ name: 'host_wait', arguments: { text: 'a' } }, undefined, { signal: controller.signal })
      .catch(() => 'cancelled');
    const asked = await host.until('functions/run');
    controller.abort();
    expect((await host.until('$/cancel')).params).to.deep.equal({ id: asked.id });
    expect(await called).to.equal('cancelled');
    await client.close();
  });

  it('speaks over stdio where the host speaks over another descriptor, and says when it has ended', async () => {
    const cwd = await temporaryFolder({
      'tools/host_descriptors.yaml': [
        'name: host_descriptors',
        'description: Says whether a program inherits a socket.',
        'risk: low',
        `execution: { type: command, command: node, args: ['-e', "console.log([3, 4, 5].some((fd) => { try { return require('node:fs').fstatSync(fd).isSocket() } catch { return false } }) ? 'open' : 'closed')"] }`,
        '',
      ].join('\n'),
    });
    const host = hostClient({ cwd, handlers: echo, overSocket: true });
    await host.initialize({ options: { ...own.options, toolPaths: ['./tools'] }, functions: [clientFunction('host_echo')] });
    const { id } = await host.ask('server/start', { options: { transport: 'stdio' } });
    const answers: { id?: number; result?: { content?: { text: string }[] } }[] = [];
    host.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) answers.push(JSON.parse(line));
    });
    const say = (message: object): void => void host.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    say({ id: 1, method: 'initialize', params: opening });
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: { name: 'host_echo', arguments: { text: 'over stdio' } } });
    const answer = await until(() => answers.find((one) => one.id === 2));
    expect(answer.result?.content?.map(({ text }) => text)).to.deep.equal(['over stdio']);
    expect(JSON.stringify(await host.ask('tools/call', { name: 'host_descriptors' }))).to.include('closed');
    host.child.stdin?.end();
    expect((await host.until('server/ended')).params).to.deep.equal({ id });
    expect(await host.ask('tools/list'))
      .to.have.property('tools')
      .of.length(2);
    host.input.end();
    expect(await host.exit).to.deep.equal({ code: 0, signal: null });
  });
});
