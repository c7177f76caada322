import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Started, start } from './program.ts';

/** One situation at a start, or after it, of which the whole standard error is read. */
interface Situation {
  readonly title: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Waits for this on standard error, then acts. */
  readonly when?: RegExp;
  readonly act?: (server: Started) => unknown;
  readonly code: number;
  /** Words of the messages of the records, in this order. */
  readonly says: readonly RegExp[];
  readonly level?: string;
}

const json = { TOOLKIT_LOG_FORMAT: 'json' };
const terminate = (server: Started): unknown => server.child.kill('SIGTERM');
const http = ['mcp', '-t', 'http', '-p', '0'];

const standard = "standard({ includeCore: false, autoDiscover: false, toolPaths: ['./tools'] })";
/** A configuration of JSON logs, with code before it and in a plugin. */
const config = (before: string, inApply = '', plugins = standard): Record<string, string> => ({
  'toolkit.config.mjs': `import { writeSync } from 'node:fs';
    import { defineConfig, definePlugin, mcp, standard } from '@toolkit/core';
    ${before}
    const own = definePlugin({ name: 'own', apiVersion: 1, apply(api) { const { hooks } = api; ${inApply} } });
    export default defineConfig({ logFormat: 'json', plugins: [${plugins}, own()] });`,
});
const echo = 'name: say\ndescription: Says it.\nrisk: low\nparameters: { text: { type: string } }\n';

const situations: readonly Situation[] = [
  { title: 'over stdio, until the client goes', args: ['mcp'], env: json, act: end, code: 0, says: [] },
  {
    title: 'in production',
    args: http,
    env: { NODE_ENV: 'production' },
    when: /MCP server/,
    act: terminate,
    code: 0,
    says: [/^MCP server: http:\S+$/],
  },
  { title: 'until SIGTERM', args: http, env: json, when: /MCP server/, act: terminate, code: 0, says: [/^MCP server: /] },
  {
    title: 'with a certificate that is made',
    args: [...http, '--self-signed'],
    files: config('', '', `${standard}, mcp()`),
    when: /Certificate/,
    act: terminate,
    code: 0,
    says: [/^MCP server: https/, /^Certificate: .*cert/],
  },
  {
    title: 'with SIGHUP',
    args: http,
    files: {
      'tools/say.yaml': `${echo}execution: { type: command, command: echo, args: ['{text}'] }\n`,
      ...config('', '', `${standard}, mcp()`),
    },
    when: /MCP server/,
    act: async (server) => {
      server.child.kill('SIGHUP');
      await server.waitFor(/reload/i);
      server.child.kill('SIGTERM');
    },
    code: 0,
    says: [/^MCP server: /, /reload/i],
  },
  {
    title: 'with a broken configuration',
    args: ['mcp'],
    env: json,
    files: { 'toolkit.config.yaml': 'plugins: [' },
    code: 1,
    says: [/toolkit\.config\.yaml/],
    level: 'error',
  },
  {
    title: 'with a configuration that throws, and has printed',
    args: ['mcp'],
    env: { NODE_ENV: 'production' },
    files: config("console.error('about to fail'); throw new Error('no such database');"),
    code: 1,
    says: [/^about to fail$/, /no such database/],
  },
  {
    title: 'with a plugin that is missing',
    args: ['mcp'],
    env: json,
    files: { 'toolkit.config.yaml': 'plugins: [no-such-plugin]' },
    code: 1,
    says: [/no-such-plugin/],
    level: 'error',
  },
  {
    title: 'with an option of another name',
    args: ['mcp'],
    files: { 'toolkit.config.yaml': 'logFormat: json\nplugins: [[toolkit/plugins/mcp, { allowTools: [a] }]]' },
    code: 1,
    says: [/allowTools/],
    level: 'error',
  },
  {
    title: 'with definitions that are broken',
    args: ['list'],
    files: { ...config(''), 'tools/broken.yaml': 'name: broken\nexecution: {', 'tools/odd.yaml': `${echo}executoin: {}\n` },
    code: 0,
    says: [/broken\.yaml/],
  },
  {
    title: 'with warnings of Node and what is printed while the configuration loads',
    args: ['list'],
    files: config(
      `process.emitWarning('old way', 'DeprecationWarning', 'DEP_OWN'); new Buffer(1); console.error('\\u001b[31mtwo\\n\\nlines\\u001b[0m'); console.log('to the other'); writeSync(2, Buffer.from('xdirectx'), 1, 6); process.stderr.write('half'); await new Promise(setImmediate);`,
    ),
    code: 0,
    says: [/^two$/, /^lines$/, /^to the other$/, /^directhalf/, /^old way$/, /Buffer\(\) is deprecated/],
  },
  {
    title: 'with lines of JSON that a plugin writes, and lines that only look like it',
    args: ['list'],
    files: config(
      '',
      `console.error('{"own":1}'); console.error('[1]'); console.error('{"half":'); console.error('7'); console.error('null');`,
    ),
    code: 0,
    says: [/^\[1\]$/, /^\{"half":$/, /^7$/, /^null$/],
  },
  {
    title: 'with a plugin that cannot start',
    args: ['mcp'],
    files: config('', "hooks.serve.tap('own', () => { throw new Error('no socket'); });", `${standard}, mcp()`),
    code: 1,
    says: [/no socket/],
    level: 'error',
  },
  {
    title: 'with an error that nothing catches',
    args: ['mcp'],
    files: config('', "hooks.serve.tap('own', () => void setImmediate(() => { throw new Error('late'); }));", `${standard}, mcp()`),
    code: 1,
    says: [/threw an error that nothing caught: late/],
    level: 'error',
  },
  {
    title: 'with a promise that nothing catches, in detail',
    args: ['--debug', 'list'],
    files: config("Promise.reject(new Error('forgotten')); await new Promise(() => setInterval(() => {}, 1e6));"),
    env: { NODE_ENV: 'production' },
    code: 1,
    says: [/threw an error that nothing caught: forgotten/],
  },
  {
    title: 'with a plugin that ends the process',
    args: ['list'],
    files: config('', "hooks.discover.tap('own', () => { process.stderr.write('goodbye'); process.exit(3); });"),
    code: 1,
    says: [/^goodbye$/, /ended the process \(exit code 3\)/],
  },
  {
    title: 'with an unknown command',
    args: ['nosuch'],
    env: json,
    code: 2,
    says: [/unknown command 'nosuch'/, /"toolkit --help"/],
    level: 'error',
  },
  {
    title: 'with an unknown flag',
    args: ['mcp', '--nosuch'],
    env: json,
    code: 2,
    says: [/unknown option '--nosuch'/, /"toolkit mcp --help"/],
    level: 'error',
  },
  {
    title: 'of toolkit run, which fails',
    args: ['run', 'nosuch'],
    env: json,
    code: 1,
    says: [/There is no tool "nosuch"/],
    level: 'error',
  },
  {
    title: 'of toolkit validate, which fails',
    args: ['validate', 'tools'],
    env: json,
    files: { 'tools/a.yaml': 'name: a\nexecution: {' },
    code: 1,
    says: [/have 1 error/],
    level: 'error',
  },
  {
    title: 'of toolkit run, whose tool warns and prints in a thread',
    args: ['run', 'say'],
    files: {
      ...config(''),
      'tools/say.yaml': `${echo}execution: { type: function, code: ./say.mjs, worker: true }\n`,
      'tools/say.mjs':
        "export default async () => { process.emitWarning('in a thread'); await new Promise(setImmediate); await new Promise((done) => process.stderr.write('printed there\\n', done)); return 1; };",
    },
    code: 0,
    says: [/printed there/, /Warning: in a thread/],
  },
  {
    title: 'of toolkit dev',
    args: ['dev', '-p', '0', '--tool-paths', 'tools'],
    env: json,
    files: { 'tools/say.yaml': `${echo}execution: { type: command, command: echo, args: ['{text}'] }\n` },
    when: /Ctrl-C ends it/,
    act: terminate,
    code: 0,
    says: [/^MCP server: http/, /^Tools: /, /^Ctrl-C ends it\.$/],
  },
  { title: 'of toolkit worker without a store', args: ['worker'], env: json, code: 1, says: [/./], level: 'error' },
];

function end(server: Started): void {
  server.child.stdin?.end();
}

/** Each line of standard error as a record. Throws for one that is none. */
function recordsOf(text: string): readonly Record<string, unknown>[] {
  if (text === '') return [];
  expect(text.endsWith('\n'), `ends in the middle of a line: ${text.slice(-100)}`).to.equal(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      let record: unknown;
      try {
        record = JSON.parse(line);
      } catch {
        expect.fail(`is no JSON: ${line}`);
      }
      expect(record).to.be.an('object');
      return record as Record<string, unknown>;
    });
}

async function ran({ args, files = {}, env = {}, when, act }: Omit<Situation, 'title' | 'code' | 'says'>) {
  const cwd = await temporaryFolder({ 'package.json': '{ "name": "a-project", "type": "module" }', ...files });
  await installIn(cwd);
  const server = start(args, { cwd, env });
  if (when !== undefined) await server.waitFor(when);
  await act?.(server);
  return { code: (await server.exit).code, records: recordsOf(server.stderr()), stdout: server.stdout() };
}

describe('JSON logs are JSON alone', () => {
  for (const { title, code, says, level, ...situation } of situations)
    it(title, async () => {
      const { code: ended, records } = await ran(situation);
      const messages = records.map(({ message }) => String(message));
      expect(ended, messages.join('\n')).to.equal(code);
      for (const words of says)
        expect(
          messages.some((message) => words.test(message)),
          `${words} in ${messages.join('\n')}`,
        ).to.equal(true);
      if (level !== undefined) expect(records.at(-1)?.['level']).to.equal(level);
    });

  it('when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { code, records } = await ran({ args: ['mcp', '-t', 'http', '-p', String(port)], env: json }).finally(() => taken.close());
    expect(code).to.equal(1);
    expect(records.at(-1)).to.include({ level: 'error' });
    expect(String(records.at(-1)?.['message'])).to.include(String(port));
  });

  it('and the token that was made up is one plain line on standard output, which opens the server', async () => {
    let status = 0;
    const { records, stdout } = await ran({
      args: http,
      env: json,
      when: /MCP server/,
      act: async (server) => {
        const url = recordsOf(server.stderr()).find((record) => 'url' in record)?.['url'] as string;
        while (!server.stdout().endsWith('\n')) await once(server.child.stdout as NonNullable<typeof server.child.stdout>, 'data');
        const token = server.stdout().trim().split(/\s+/).at(-1);
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
        });
        const answer = await fetch(url, { method: 'POST', headers, body });
        status = answer.status;
        await answer.body?.cancel();
        server.child.kill('SIGTERM');
      },
    });
    expect(status).to.equal(200);
    expect(stdout).to.match(/^Token: {6}[0-9a-f-]{36}\n$/);
    expect(JSON.stringify(records)).to.not.include(stdout.trim().split(/\s+/)[1]);
  });

  it('of a server in a program of its own', async () => {
    const cwd = await temporaryFolder({
      'package.json': '{ "name": "a-project", "type": "module" }',
      'server.mjs': `import { createMCPServer } from '@toolkit/core';
        const server = await createMCPServer({ transport: 'http', port: 0, logFormat: 'json', includeCore: false, autoDiscover: false });
        await server.stop();`,
    });
    await installIn(cwd);
    const server = start([], { cwd, program: path.join(cwd, 'server.mjs') });
    expect((await server.exit).code).to.equal(0);
    expect(recordsOf(server.stderr()).map(({ message }) => message)).to.satisfy((all: string[]) =>
      all.some((one) => /^MCP server: /.test(one)),
    );
    expect(server.stdout()).to.match(/^Token: {6}\S+\n$/);
  });

  it('and what is not JSON stays as it is', async () => {
    const cwd = await temporaryFolder({
      'package.json': '{ "name": "a-project", "type": "module" }',
      ...config("process.emitWarning('old'); console.error('printed'); process.stderr.write('half');"),
    });
    await installIn(cwd);
    const run = start(['run', 'nosuch'], { cwd, env: { TOOLKIT_LOG_FORMAT: 'simple' } });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr())
      .to.match(/^printed\nhalf/)
      .and.to.match(/\(node:\d+\) Warning: old\n/)
      .and.to.match(/toolkit: TOOL_NOT_FOUND: There is no tool "nosuch"/);
  });

  it('and what waits for the format of a configuration without one comes in its order', async () => {
    const files = config("process.emitWarning('old'); console.error('printed'); process.stderr.write('half');");
    const cwd = await temporaryFolder({
      'package.json': '{ "name": "a-project", "type": "module" }',
      'toolkit.config.mjs': (files['toolkit.config.mjs'] ?? '').replace("logFormat: 'json', ", ''),
    });
    await installIn(cwd);
    const run = start(['run', 'nosuch'], { cwd });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr())
      .to.match(/^printed\nhalf/)
      .and.to.match(/\(node:\d+\) Warning: old\n/)
      .and.to.match(/toolkit: TOOL_NOT_FOUND: There is no tool "nosuch"/);
  });
});
