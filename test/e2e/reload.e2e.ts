import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from 'node:tls';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { terminal } from '../support/terminal.ts';
import { httpClient, type Started, start, stdioClient, until } from './program.ts';

const token = 'token-of-the-reloads';
const listChanged = 'notifications/tools/list_changed';

const say = (text: string): string =>
  `name: say\ndescription: Say ${text}.\nexecution: { type: command, command: echo, args: [${text}] }\n`;

/** A project whose only tool says a word. */
const project = (files: Readonly<Record<string, string>> = {}): Promise<string> =>
  temporaryFolder({ 'tools/say.yaml': say('one'), ...files });

async function serve(cwd: string, args: readonly string[] = []): Promise<{ server: Started; url: string }> {
  const server = start(['mcp', '-t', 'http', '-p', '0', '--token', token, '--tool-paths', 'tools', ...args], { cwd });
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  return { server, url };
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close().catch(() => {})));
});

/** An official client of the newest era that listens for changes of lists, and how many it has heard of. */
async function listener(url: string): Promise<{ client: Client; heard: () => number }> {
  let heard = 0;
  const client = new Client({ name: 'reload', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.setNotificationHandler(listChanged, () => void heard++);
  closers.push(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  await client.connect(transport);
  await client.listen({ toolsListChanged: true });
  return { client, heard: () => heard };
}

/** Returns the output of the tool, or its error. */
const word = (client: { callTool(request: { name: string; arguments: Record<string, unknown> }): Promise<unknown> }): Promise<string> =>
  client.callTool({ name: 'say', arguments: {} }).then((result) => JSON.stringify(result));

/** How often a client of the sessions was told that its list of tools is another one. */
function changesTold(client: Awaited<ReturnType<typeof httpClient>>): () => number {
  let told = 0;
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === listChanged) told++;
  };
  return () => told;
}

/** A certificate for 127.0.0.1 with a key of its own, in these files; the name is its subject. */
function certify(cwd: string, name: string): void {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', 'server.key', '-out', 'server.crt', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...request, '-subj', `/CN=${name}`, ...files], { cwd, stdio: 'pipe' });
}

/** Whose certificate a new connection is shown. */
const shown = (url: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      const { CN } = socket.getPeerCertificate().subject;
      resolve(Array.isArray(CN) ? CN[0] : CN);
      socket.destroy();
    });
    socket.once('error', reject);
  });

describe('toolkit mcp that is told to reload', () => {
  it('takes new, changed and removed definitions at SIGHUP, tells clients of both eras, and goes on', async () => {
    const cwd = await project({ 'tools/old.yaml': say('old').replace('say', 'old') });
    const { server, url } = await serve(cwd);
    const { client, heard } = await listener(url);
    const legacy = await httpClient(url, token);
    const told = changesTold(legacy);
    expect(await word(client)).to.include('one');
    await writeFile(path.join(cwd, 'tools/say.yaml'), say('two'));
    await writeFile(path.join(cwd, 'tools/new.yaml'), say('new').replace('say', 'new'));
    await rm(path.join(cwd, 'tools/old.yaml'));
    server.child.kill('SIGHUP');
    await server.waitFor(/reloaded because of SIGHUP: 1 changed, 1 added, 1 removed/);
    await until(() => (heard() > 0 && told() > 0) || undefined);
    for (const each of [client, legacy]) {
      const names = (await each.listTools()).tools.map(({ name }) => name);
      expect(names).to.include('new').and.not.include('old');
      expect(await word(each)).to.include('two');
    }
  });

  it('keeps what a file gave that is broken now, says where, and takes it once it is mended', async () => {
    const cwd = await project();
    const { server, url } = await serve(cwd);
    const client = await httpClient(url, token);
    await writeFile(path.join(cwd, 'tools/say.yaml'), 'name: [');
    server.child.kill('SIGHUP');
    await server.waitFor(/reloaded because of SIGHUP: 0 changed/);
    expect(server.stderr()).to.match(/say\.yaml/);
    expect(await word(client)).to.include('one');
    await writeFile(path.join(cwd, 'tools/say.yaml'), say('two'));
    server.child.kill('SIGHUP');
    await server.waitFor(/reloaded because of SIGHUP: 1 changed/);
    expect(await word(client)).to.include('two');
  });

  it('takes what was written after the first of two signals', async () => {
    const cwd = await project();
    const { server, url } = await serve(cwd);
    const client = await httpClient(url, token);
    server.child.kill('SIGHUP');
    await writeFile(path.join(cwd, 'tools/say.yaml'), say('two'));
    server.child.kill('SIGHUP');
    await server.waitFor(/reloaded because of SIGHUP: 1 changed/);
    expect(await word(client)).to.include('two');
  });

  it('takes the rules of the policy, also where it does not watch them; broken ones change nothing', async () => {
    const deny = 'rules:\n  - { name: quiet, match: { tool: say }, effect: deny }\n';
    const config = `import { defineConfig, mcp, policyRules, standard } from '@toolkit/core';
export default defineConfig({ plugins: [standard({ toolPaths: ['tools'] }), policyRules({ watch: false }), mcp()] });`;
    const cwd = await project({ 'policy.yaml': 'rules: []\n', 'toolkit.config.js': config, 'package.json': '{ "type": "module" }' });
    await installIn(cwd);
    const { server, url } = await serve(cwd);
    const client = await httpClient(url, token);
    expect(await word(client)).to.include('one');
    await writeFile(path.join(cwd, 'policy.yaml'), deny);
    server.child.kill('SIGHUP');
    await server.waitFor(/policy loaded again from [\s\S]*reloaded because of SIGHUP/);
    expect(await word(client)).to.include('quiet');
    await writeFile(path.join(cwd, 'policy.yaml'), 'rules: [{ effect: never }]\n');
    server.child.kill('SIGHUP');
    await server.waitFor(/The rules that were loaded before stay in force[\s\S]*reloaded because of SIGHUP/);
    expect(await word(client)).to.include('quiet');
  });

  it('shows new connections a renewed certificate, and keeps the one it has where that is broken', async () => {
    const cwd = await project();
    certify(cwd, 'first');
    const { server, url } = await serve(cwd, ['--cert', 'server.crt', '--key', 'server.key']);
    expect(await shown(url)).to.equal('first');
    certify(cwd, 'second');
    server.child.kill('SIGHUP');
    await server.waitFor(/certificate loaded again: valid until 20\d\d-/);
    expect(await shown(url)).to.equal('second');
    const key = await readFile(path.join(cwd, 'server.key'), 'utf8');
    certify(cwd, 'third');
    await writeFile(path.join(cwd, 'server.key'), key);
    server.child.kill('SIGHUP');
    const [line] = await server.waitFor(/.*The certificate that was loaded before stays in use/);
    expect(line).to.include('server.key').and.include('received the key of another');
    expect(await shown(url)).to.equal('second');
  });

  it('reloads over stdio as well, and ends with its client', async () => {
    const cwd = await project();
    const { client, transport } = await stdioClient(['--tool-paths', 'tools'], { cwd });
    const told = changesTold(client);
    await writeFile(path.join(cwd, 'tools/say.yaml'), say('two'));
    const { pid } = transport;
    process.kill(pid as number, 'SIGHUP');
    await until(() => told() > 0 || undefined);
    expect(await word(client)).to.include('two');
    await client.close();
    await until(() => isGone(pid as number) || undefined);
  });

  it('ends when the terminal in which it was started is closed', async () => {
    const cwd = await project();
    const window = terminal(['mcp', '-t', 'http', '-p', '0', '--token', token, '--tool-paths', 'tools'], { cwd });
    const text = await window.shows(/MCP server: http/);
    const [, url = ''] = /MCP server: (\S+)/.exec(text) ?? [];
    expect((await fetch(new URL('/health', url))).ok).to.equal(true);
    window.hangUp();
    await until(() =>
      fetch(new URL('/health', url)).then(
        () => undefined,
        () => true,
      ),
    );
  });

  it('loads what is saved with --watch, and tells its clients', async () => {
    const cwd = await project();
    const { server, url } = await serve(cwd, ['--watch']);
    await server.waitFor(/watching tools/);
    const { client, heard } = await listener(url);
    await writeFile(path.join(cwd, 'tools/say.yaml'), say('two'));
    await server.waitFor(/reloaded because of tools\/say\.yaml: 1 changed, 0 added, 0 removed/);
    await until(() => heard() > 0 || undefined);
    expect(await word(client)).to.include('two');
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
