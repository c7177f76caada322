import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { installIn } from '../support/installed.ts';
import { foldersForFile, temporaryFolder } from '../support/temporary.ts';

/** Runs its arguments where `/usr/bin/env` is the one of BusyBox. */
const script = 'mount --bind "$0" /usr/bin/env && exec "$@"';

describe('the program where env is the one of BusyBox', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let within: readonly string[] = [];
  let cwd = '';
  let program = '';

  before(async () => {
    const busybox = await find('busybox');
    const namespaces = process.getuid?.() === 0 ? '-m' : '-rm';
    within = ['unshare', namespaces, 'sh', '-c', script, busybox];
    cwd = await foldersForFile(() => temporaryFolder({ 'package.json': '{ "name": "a-project" }' }));
    await installIn(cwd);
    program = path.join(cwd, 'node_modules/.bin/toolkit');
    // Were the other env still there, the tests would show nothing.
    const { status, stderr } = spawnSync('unshare', [...within.slice(1), '/usr/bin/env', '-S', 'true'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(1);
    expect(stderr).to.match(/BusyBox/);
  });

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const [first = '', ...rest] = [...within, program, ...args];
    const child = spawn(first, rest, { cwd, env: { ...own(), ...env } });
    ends.push(async () => child.kill('SIGKILL'));
    return child;
  }

  async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = start(args, env);
    const code = new Promise((resolve) => child.once('close', resolve));
    child.stdin?.end();
    const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))));
    return { code: await code, stdout, stderr };
  }

  const commands: { title: string; args: string[]; says: RegExp }[] = [
    { title: 'says its version', args: ['--version'], says: /^0\.\d+\.\d+\n$/ },
    { title: 'lists tools', args: ['list', '--provider', 'core'], says: /text_slugify/ },
    { title: 'runs a tool', args: ['run', 'text_slugify', '--text', 'A bc'], says: /a-bc/ },
    { title: 'runs a program for a tool', args: ['run', 'system_execute', '--command', 'echo', '--arguments', '["ran"]'], says: /ran/ },
  ];

  for (const { title, args, says } of commands)
    it(title, async () => {
      const { code, stdout, stderr } = await run(args);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(says);
    });

  it('answers a session over stdio', async () => {
    const [command = '', ...args] = [...within, program, 'mcp'];
    const client = new Client({ name: 'busybox', version: '1.0.0' });
    ends.push(() => client.close());
    await client.connect(new StdioClientTransport({ command, args, cwd, env: own(), stderr: 'ignore' }));
    const { content } = await client.callTool({ name: 'text_slugify', arguments: { text: 'A bc' } });
    expect(JSON.stringify(content)).to.include('a-bc');
  });

  it('serves over HTTP', async () => {
    const child = start(['mcp', '-t', 'http', '-p', '0'], { TOOLKIT_MCP_TOKEN: 'a-token-of-this-test' });
    let written = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr?.setEncoding('utf8').on('data', (part: string) => {
        written += part;
        const found = /http:\/\/\S+\/mcp/.exec(written);
        if (found !== null) resolve(found[0]);
      });
      child.once('close', () => reject(new Error(written)));
    });
    expect((await fetch(new URL('/live', url))).status).to.equal(200);
  });

  it('leaves a missing --env-file, and NODE_OPTIONS in one, to Node', async () => {
    const folder = await temporaryFolder({ 'own.env': 'NODE_OPTIONS=--no-such-option-of-node\n' });
    const missing = await run(['mcp', '--secrets', 'env,dotenv', '--env-file', path.join(folder, 'missing.env')]);
    expect(missing.code).to.equal(9);
    expect(missing.stderr).to.match(/missing\.env: not found/);
    const obeyed = await run(['mcp', '--secrets', 'env,dotenv', '--env-file', path.join(folder, 'own.env')]);
    expect(obeyed.code).to.equal(9);
    expect(obeyed.stderr).to.match(/no-such-option-of-node/);
  });
});

function own(): Record<string, string> {
  const cache = path.resolve('node_modules/.cache');
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    XDG_STATE_HOME: path.join(cache, 'test-state'),
    XDG_CACHE_HOME: path.join(cache, 'test-cache'),
  };
}

/** A suite that skips is a start that nobody has tried. */
async function find(name: string): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  throw new Error(`This suite needs ${name}: install it (Debian and Ubuntu: apt-get install ${name}).`);
}
