/** Builds the image of the server and runs it as compose.yaml says: in Docker, or where there is none by the steps of its Dockerfile. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { filesOf, readGuide } from '../docs/guide.ts';
import { forFile, httpClient, textOf } from '../e2e/program.ts';
import { readIgnore } from './docker/build-context.ts';
import { readService } from './docker/compose.ts';
import { execForm, readDockerfile, withFlags } from './docker/dockerfile.ts';
import type { Server, Way } from './docker/server.ts';
import { hasDocker, withDocker } from './docker/with-docker.ts';
import { withoutDocker } from './docker/without-docker.ts';

const run = promisify(execFile);

const composeFile = 'plugins/mcp/docker/compose.yaml';
const dockerfile = 'plugins/mcp/docker/Dockerfile';
const token = 'token-of-the-docker-suite';

type Packages = Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;

const packagesOf = (lockFile: string): Packages => (JSON.parse(lockFile) as { packages: Packages }).packages;

describe('the image of the server', function () {
  this.timeout(900_000);
  let way: Way;
  let server: Server;
  let client: Client;

  before(async () => {
    way = (await hasDocker()) ? withDocker(composeFile) : withoutDocker(composeFile);
    await way.build();
    server = await way.start({ TOOLKIT_MCP_TOKEN: token });
    client = await forFile(() => httpClient(`${server.origin}/mcp`, token));
  });

  after(() => way.clear());

  /** Returns the status of `/health` for a request with this Host header. */
  async function statusFor(host: string): Promise<number | undefined> {
    const [response] = (await once(get(`${server.origin}/health`, { headers: { host } }), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  it('has the versions of all packages that the lock file of the project names', async () => {
    const tested = packagesOf(await readFile('package-lock.json', 'utf8'));
    const installed = Object.entries(packagesOf(await way.lockFile())).filter(
      ([name]) => !/^(node_modules\/@toolkit\/[\w-]+)?$/.test(name),
    );
    expect(installed.length).to.be.greaterThan(100);
    expect(installed.filter(([name, { version }]) => tested[name]?.version !== version)).to.deep.equal([]);
  });

  it('has nothing that it was only built with', async () => {
    const { stdout } = await run(process.execPath, ['plugins/toolkit/build-packages.mjs']);
    const builtWith = stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(0, line.lastIndexOf('@')));
    expect(builtWith).to.include('mathjs');
    const packages = packagesOf(await way.lockFile());
    const tested = packagesOf(await readFile('package-lock.json', 'utf8'));
    // What a package of the image needs as well is there for it.
    const onlyBuiltWith = builtWith.filter((name) => tested[`node_modules/${name}`]?.dev === true);
    expect(onlyBuiltWith).to.include('mathjs');
    expect(onlyBuiltWith.filter((name) => `node_modules/${name}` in packages)).to.deep.equal([]);
  });

  it('has what the configuration of compose.cluster.yaml needs', async () => {
    const packages = packagesOf(await way.lockFile());
    for (const name of ['pg', 'bullmq']) expect(packages).to.have.property(`node_modules/${name}`);
  });

  it('is healthy', async () => {
    expect(await server.checkHealth()).to.equal(0);
    const answer = await fetch(`${server.origin}/health`);
    expect(await answer.json()).to.deep.equal({ status: 'ok', tools: 262 });
  });

  it('lists the core tools and those of every provider', async () => {
    const { tools } = await client.listTools();
    // With the one that goes with every list.
    expect(tools).to.have.length(263);
    expect(await server.log()).to.not.include('"level":"error"');
  });

  it('writes files in the working folder, and none beside it', async () => {
    await client.callTool({ name: 'fs_write_file', arguments: { path: 'note.txt', content: 'kept' } });
    expect(textOf(await client.callTool({ name: 'fs_read_file', arguments: { path: 'note.txt' } }))).to.include('kept');
    const beside = await client.callTool({ name: 'fs_write_file', arguments: { path: '../tools/note.yaml', content: 'name: note' } });
    expect(beside.isError).to.equal(true);
  });

  it('refuses who has no token, or another one', async () => {
    for (const headers of [{}, { authorization: 'Bearer another' }])
      expect((await fetch(`${server.origin}/mcp`, { method: 'POST', headers })).status).to.equal(401);
  });

  it('takes the Host header of its neighbours, and of no others', async () => {
    expect(await statusFor('toolkit:3000')).to.equal(200);
    expect(await statusFor('tools.example.com')).to.equal(403);
  });

  it('has the programs that core tools start', async () => {
    for (const command of ['git', 'ps']) {
      const { structuredContent } = await client.callTool({ name: 'system_which', arguments: { command } });
      expect(structuredContent, command).to.include({ found: true });
    }
  });

  it('does not start without a token, and says what to do', async () => {
    const { code, log } = await way.startBare();
    expect(code).to.be.greaterThan(0);
    expect(log).to.include('TOOLKIT_MCP_TOKEN');
  });

  it('ends by itself when it is stopped', async () => {
    expect(await server.stop()).to.equal(0);
  });

  it('runs with the configuration, the policy and the trail of the guide', async () => {
    const guide = await readGuide('plugins/toolkit/OPERATING.md');
    const { 'conf/toolkit.config.yaml': config = '', 'policy.yaml': policy = '' } = filesOf(guide);
    const [command = ''] = guide.flatMap(({ code }) => (code.includes('docker run') ? [code] : []));
    const [, flags = ''] = / toolkit (--config .*)\n/.exec(command) ?? [];
    const files = { '/toolkit/conf/toolkit.config.yaml': config, '/toolkit/conf/policy.yaml': policy };
    const configured = await way.startWith(flags.split(' '), { TOOLKIT_MCP_TOKEN: token }, files);
    const model = await forFile(() => httpClient(`${configured.origin}/mcp`, token));
    await model.callTool({ name: 'fs_write_file', arguments: { path: 'kept.txt', content: 'kept' } });
    expect(textOf(await model.callTool({ name: 'fs_read_file', arguments: { path: 'kept.txt' } }))).to.include('kept');
    const refused = await model.callTool({ name: 'fs_delete', arguments: { path: 'kept.txt' } });
    expect(JSON.stringify(refused.content)).to.include('A person deletes by hand.').and.include('no-deletes');
    expect(await configured.runInside('toolkit', ['audit', 'verify', '/toolkit/state/trail'])).to.equal(0);
    expect(await configured.stop()).to.equal(0);
  });
});

describe('compose.yaml of the server', () => {
  it('asks for a token, and for nothing else', async () => {
    const refused = await readService(composeFile, {}).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error).with.property('message').that.includes('TOOLKIT_MCP_TOKEN').and.includes('openssl rand');
    expect((await readService(composeFile, { TOOLKIT_MCP_TOKEN: token })).environment).to.deep.equal({ TOOLKIT_MCP_TOKEN: token });
  });

  it('is reached from this machine alone, and gives the server no right that it does not need', async () => {
    const service = await readService(composeFile, { TOOLKIT_MCP_TOKEN: token });
    expect(service.ports).to.deep.equal(['127.0.0.1:3000:3000']);
    const account = { user: '1000:1000', cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    expect(service).to.deep.include({ read_only: true, ...account });
    expect(service).to.not.have.any.keys('privileged', 'network_mode', 'pid');
  });

  it('mounts folders that are there, and tools for reading only', async () => {
    const { volumes } = await readService(composeFile, { TOOLKIT_MCP_TOKEN: token });
    const mounts = volumes.filter((volume) => typeof volume !== 'string');
    expect(mounts.map(({ target, read_only }) => [target, read_only])).to.deep.equal([['/toolkit/tools', true]]);
    expect(mounts.filter(({ source }) => !existsSync(path.join(path.dirname(composeFile), source)))).to.deep.equal([]);
  });

  it('checks health as the image does', async () => {
    const { healthcheck } = await readService(composeFile, { TOOLKIT_MCP_TOKEN: token });
    const [check] = readDockerfile(await readFile(dockerfile, 'utf8')).filter(({ keyword }) => keyword === 'HEALTHCHECK');
    if (check === undefined) throw new Error('The Dockerfile has no HEALTHCHECK.');
    expect(healthcheck.test).to.deep.equal(['CMD', ...execForm(withFlags(check).words.replace(/^CMD /, ''))]);
  });
});

describe('the reader of Dockerfiles', () => {
  it('joins continued lines and leaves comments out', () => {
    expect(readDockerfile('# one\nFROM a AS b\nRUN x && \\\n# two\n  y\n')).to.deep.equal([
      { line: 2, keyword: 'FROM', rest: 'a AS b' },
      { line: 5, keyword: 'RUN', rest: 'x &&   y' },
    ]);
  });

  for (const text of ['VOLUME /a', 'ADD a b', 'RUN <<END\nx\nEND', '# syntax=docker/dockerfile:1', 'run x', 'RUN x \\'])
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => readDockerfile(text)).to.throw('the Dockerfile');
    });
});

describe('the reader of ignore files', () => {
  const isIgnored = readIgnore('# all\n*\n!plugins\n!a.json\n**/.env*\n**/*.env\nplugins/mcp/docker\ntools/*/*.js\n');
  for (const [file, expected] of [
    ['b.json', true],
    ['a.json', false],
    ['plugins/mcp/index.ts', false],
    ['plugins/mcp/docker/tools/x.yaml', true],
    ['plugins/.env.local', true],
    ['.env', true],
    ['plugins/secrets.env', true],
  ] as const)
    it(`${expected ? 'leaves out' : 'keeps'} ${file}`, () => {
      expect(isIgnored(file)).to.equal(expected);
    });

  it('refuses a pattern that it does not know', () => {
    expect(() => readIgnore('a[bc]')).to.throw('a[bc]');
  });
});
