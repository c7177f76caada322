import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { terminal } from '../../support/terminal.ts';
import { gone, httpClient, program, type Started, start, textOf } from '../program.ts';

const config = 'plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]\n';

const definition = (name: string, code: string, description = 'Says a word to you.'): string =>
  `name: ${name}\ndescription: ${description}\nparameters: { word: { type: string } }\nexecution: { type: function, code: ${code} }\n`;

const files = {
  'package.json': '{ "type": "module" }',
  'toolkit.config.yaml': config,
  'tools/say.yaml': definition('say', './say.js'),
  'tools/say.js': 'import { word } from "./word.js"; export default () => word;',
  'tools/word.js': 'export const word = "old";',
};

interface Developed {
  readonly server: Started;
  readonly client: Client;
  readonly cwd: string;
  /** All of it at one moment, as editors do: of a file that is still written, the half that is there would be loaded as well. */
  save(name: string, text: string): Promise<void>;
  /** Resolves at the next notification that the list of tools has changed. */
  told(): Promise<void>;
  say(name: string, word?: string): Promise<string>;
}

async function saved(cwd: string, name: string, text: string): Promise<void> {
  const aside = path.join(cwd, `.${randomUUID()}`);
  await writeFile(aside, text);
  await rename(aside, path.join(cwd, name));
}

async function developed(more: Readonly<Record<string, string>> = {}): Promise<Developed> {
  const cwd = await temporaryFolder({ ...files, ...more });
  const server = start(['dev', '--port', '0'], { cwd, env: { TOOLKIT_MCP_TOKEN: 'a-token', API_SECRET: 'hunter2hunter2' } });
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n(?:.*\n)*Ctrl-C ends it/);
  const client = await httpClient(url, 'a-token');
  return {
    server,
    client,
    cwd,
    save: (name, text) => saved(cwd, name, text),
    told: () => new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())),
    say: async (name, word) => textOf(await client.callTool({ name, arguments: word === undefined ? {} : { word } })),
  };
}

/** An official MCP client that starts `toolkit dev` itself. */
async function stdioDeveloped(cwd: string): Promise<{ client: Client; shows(pattern: RegExp): Promise<void> }> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'dev', '--transport', 'stdio'],
    cwd,
    env,
    stderr: 'pipe',
  });
  let text = '';
  const waiting = new Set<() => void>();
  transport.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    for (const check of waiting) check();
  });
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  clients.push(client);
  await client.connect(transport);
  const shows = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (pattern.test(text)) resolve();
      };
      waiting.add(check);
      check();
    });
  return { client, shows };
}

const clients: Client[] = [];

describe('toolkit dev', () => {
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  it('loads a definition that is saved, and tells the clients', async () => {
    const { server, client, save, told } = await developed();
    const next = told();
    await save('tools/say.yaml', definition('say', './say.js', 'Says another word.'));
    await server.waitFor(/reloaded: 1 changed, 0 added, 0 removed \(\d+ ms\)\n/);
    await next;
    expect((await client.listTools()).tools[0]?.description).to.equal('Says another word.');
  });

  it('keeps the old definition of a file that is broken, shows the place, and takes the correction', async () => {
    const { server, save, say } = await developed();
    await save('tools/say.yaml', definition('say', './say.js').replace('type: string', 'typ: string'));
    await server.waitFor(/ {2}tools\/say\.yaml:3:23 parameters\.word\.typ: is not known here\. Did you mean "type"\?\n/);
    expect(server.stderr()).to.match(/reloaded: 0 changed, 0 added, 0 removed \(\d+ ms\); a file is broken: its former definition stays\n/);
    expect(await say('say')).to.equal('old');
    await save('tools/say.yaml', definition('say', './say.js', 'Says the right word.'));
    await server.waitFor(/reloaded: 1 changed, 0 added, 0 removed \(\d+ ms\)\n/);
    expect(server.stderr().match(/Did you mean/g)).to.have.length(1);
  });

  it('says what is wrong inside of code: from the beginning, when it is saved, and no more when it is right', async () => {
    const { server, save, say } = await developed({
      'tools/half.yaml': definition('half', './half.ts#whole'),
      'tools/half.ts': 'export const half = 1;',
    });
    await server.waitFor(/ {2}tools\/half\.yaml:4:30 execution\.code: names "whole", which half\.ts does not have\. It has half\n/);
    await save('tools/say.js', 'export default () => ;');
    await server.waitFor(/ {2}tools\/say\.js:1:22 cannot be parsed: Unexpected token\n/);
    await save('tools/say.js', 'export default () => "right";');
    await server.waitFor(/(?:reloaded: 1 changed[\s\S]*){2}/);
    expect(await say('say')).to.equal('right');
    expect(server.stderr().match(/cannot be parsed/g)).to.have.length(1);
    expect(server.stderr().match(/"whole"/g)).to.have.length(1);
  });

  it('adds and removes tools with their files', async () => {
    const { server, client, cwd, save, told, say } = await developed();
    const added = told();
    await save('tools/also.yaml', definition('also', './say.js'));
    await server.waitFor(/reloaded: 0 changed, 1 added, 0 removed/);
    await added;
    expect(await say('also')).to.equal('old');
    const removed = told();
    await rm(path.join(cwd, 'tools/also.yaml'));
    await server.waitFor(/reloaded: 0 changed, 0 added, 1 removed/);
    await removed;
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['say', 'toolkit_get_output']);
  });

  it('runs code as it was saved last, also code that other modules import', async () => {
    const { server, save, say } = await developed();
    expect(await say('say')).to.equal('old');
    await save('tools/word.js', 'export const word = "new";');
    await server.waitFor(/reloaded: 0 changed, 0 added, 0 removed \(\d+ ms\); code is imported anew because of word\.js\n/);
    expect(await say('say')).to.equal('new');
    await save('tools/say.js', 'export default () => "newest";');
    await server.waitFor(/reloaded: 1 changed/);
    expect(await say('say')).to.equal('newest');
  });

  it('shows every call on a line of its own, secrets masked and escape sequences visible', async () => {
    const failing = 'name: fail\ndescription: Always fails.\nparameters: { word: { type: string } }\nsecrets: [API_SECRET]\n';
    const { server, client, say } = await developed({
      'tools/fail.yaml': `${failing}execution: { type: function, code: ./fail.js }\n`,
      'tools/fail.js': 'export default ({ word }, { secrets }) => { throw new Error(["no", word, secrets.API_SECRET].join(" ")); };',
    });
    await say('say', '\u001b[31mred\nline');
    const call = await server.waitFor(/\n(\d\d:\d\d:\d\d {2}say {2}ok {2}\d+ ms {2}default {2}.*)\n/);
    expect(call[1]).to.include('{"word":"\\u001b[31mred\\nline"}');
    expect(server.stderr()).to.not.include('\u001b');
    await client.callTool({ name: 'fail', arguments: { word: 'hunter2hunter2' } });
    await server.waitFor(/ {2}fail {2}EXECUTION_FAILED {2}\d+ ms {2}default {2}The function of "fail" failed: no .*\n/);
    expect(server.stderr()).to.not.include('hunter2hunter2');
  });

  it('loads three hundred files in one go, and says that a folder is gone and is back', async () => {
    const { server, client, cwd } = await developed();
    await mkdir(path.join(cwd, 'aside'));
    const many = Array.from({ length: 300 }, (_none, index) => `t${index}`);
    for (const name of many) await writeFile(path.join(cwd, 'aside', `${name}.yaml`), definition(name, '../say.js'));
    await rename(path.join(cwd, 'aside'), path.join(cwd, 'tools/many'));
    await server.waitFor(/reloaded: 0 changed, 300 added, 0 removed/);
    expect(server.stderr().match(/reloaded/g)).to.have.length(1);
    await rename(path.join(cwd, 'tools'), path.join(cwd, 'aside'));
    await server.waitFor(/reloaded: 0 changed, 0 added, 301 removed/);
    await server.waitFor(/the tool path "tools" cannot be read/);
    await rename(path.join(cwd, 'aside'), path.join(cwd, 'tools'));
    await server.waitFor(/reloaded: 0 changed, 301 added, 0 removed/);
    expect((await client.callTool({ name: 't299', arguments: {} })).isError).to.equal(undefined);
  });

  it('does the same for a client that starts it over stdio', async () => {
    const cwd = await temporaryFolder(files);
    const { client, shows } = await stdioDeveloped(cwd);
    await shows(/^MCP server: standard input and output\nTools: {6}1\nWatching: {3}tools\n$/);
    const told = new Promise<void>((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()));
    await saved(cwd, 'tools/say.yaml', definition('say', './say.js', 'Says another word.'));
    await shows(/reloaded: 1 changed/);
    await told;
    expect((await client.listTools()).tools[0]?.description).to.equal('Says another word.');
    expect(textOf(await client.callTool({ name: 'say', arguments: {} }))).to.equal('old');
    await shows(/ {2}say {2}ok {2}/);
  });

  it('says that a changed configuration needs a new start', async () => {
    const { server, save } = await developed();
    await save('toolkit.config.yaml', `${config}\n`);
    await server.waitFor(/toolkit\.config\.yaml has changed: start again for it to take effect\n/);
    expect(server.stderr()).to.not.include('reloaded');
  });

  it('ends at Ctrl-C, with everything that it started', async () => {
    const { server, say } = await developed({
      'tools/pid.yaml': definition('pid', './pid.py'),
      'tools/pid.py': 'import os\n\ndef run(parameters, context):\n    return os.getpid()\n',
    });
    const pid = Number(await say('pid'));
    server.child.kill('SIGINT');
    expect(await server.exit).to.deep.equal({ code: 0, signal: null });
    await gone(pid);
  });

  it('names another port where one is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const server = start(['dev', '--port', String(port)], { cwd: await temporaryFolder(files) });
    expect((await server.exit).code).to.equal(1);
    taken.close();
    expect(server.stderr()).to.include(`port ${port} is in use.`).and.include('--port 0 takes a free one.');
  });

  it('says on a terminal what it serves and watches, and how to go on', async () => {
    const cwd = await temporaryFolder({ 'package.json': '{}' });
    const screen = terminal(['dev', '--port', '0', '--token', 'a-token'], { cwd });
    const shown = await screen.shows('Ctrl-C ends it.');
    const steady = shown
      .replace(/^\[[\d :-]+\]/gm, '[<time>]')
      .replace(/all \d+ tools takes about [\d,]+/, 'all <number> tools takes about <number>')
      .replace(/:\d+\/mcp/, ':<port>/mcp')
      .replace(/(Tools: +)\d+/, '$1<number>');
    await matchesSnapshot('dev', steady);
    screen.type('\x03');
    expect(await screen.ended).to.equal(0);
  });
});
