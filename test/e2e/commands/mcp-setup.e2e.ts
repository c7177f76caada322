import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { httpClient, program, start } from '../program.ts';
import { setupProject } from './setup-project.ts';

interface Place {
  readonly cwd: string;
  readonly home: string;
}

async function setup({ cwd, home }: Place, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { exit, stdout, stderr, child } = start(['mcp', 'setup', ...args], { cwd, env: { HOME: home, ...env } });
  child.stdin?.end();
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** The project with the core tools. */
const withCore = { 'project/toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false }]\n' };

/** The tools of the project. */
const own = ['free', 'mail_read', 'mail_send', 'shop_list', 'shop_order', 'toolkit_get_output'];

const read = async (file: string): Promise<Record<string, never>> => JSON.parse(await readFile(file, 'utf8'));

/** The names of the tools that the server of a client's file lists, started as it says. */
async function listed(entry: { command: string; args: string[]; env: Record<string, string> }, name = 'e2e'): Promise<string[]> {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...entry, cwd: '/', stderr: 'ignore' }));
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

describe('toolkit mcp setup without a terminal', () => {
  it('prints the providers, what they need, and the configurations of all clients, and asks nothing', async () => {
    const place = await setupProject();
    const { code, stdout } = await setup(place, ['--no-test']);
    expect(code).to.equal(0);
    await matchesSnapshot('mcp-setup-plain', stdout, {
      [place.cwd]: '/project',
      [place.home]: '/home',
      [process.execPath]: '/usr/bin/node',
      [program]: '/opt/toolkit/main.js',
    });
  });

  it('prints all of it as JSON, never with a value, and tests the server', async () => {
    const place = await setupProject();
    const { code, stdout } = await setup(place, ['--json', '--providers', 'shop,none'], { SHOP_TOKEN: 'sk-value' });
    expect(code).to.equal(0);
    expect(stdout).not.to.include('sk-value');
    const report = JSON.parse(stdout);
    expect(report.project).to.equal(place.cwd);
    expect(report.config_file).to.equal(path.join(place.cwd, 'toolkit.config.yaml'));
    expect(report.providers[1]).to.deep.equal({
      name: 'shop',
      tools: 2,
      tool_names: ['shop_list', 'shop_order'],
      documentation_url: 'https://shop.example/docs/keys',
      required_scopes: ['orders.write'],
      variables: [
        { name: 'SHOP_REGION', required: false, set: false, source: null, login: null, description: null },
        { name: 'SHOP_TOKEN', required: true, set: true, source: 'env', login: null, description: 'Key of your shop.' },
      ],
    });
    expect(report.server.tools).to.equal(3);
    expect(report.server.stdio).to.deep.equal({
      command: process.execPath,
      args: ['--', program, 'mcp', '--tools', 'free,shop_*'],
      env: { TOOLKIT_CWD: place.cwd },
    });
    expect(report.server.http.url).to.equal('http://127.0.0.1:3000/mcp');
    expect(report.clients).to.have.length(12);
    expect(report.clients[4]).to.deep.include({ name: 'cursor', transport: 'stdio', installed: true });
    expect(report.test).to.deep.include({ transport: 'stdio', ok: true, tools: 4 });
    expect(report.written).to.deep.equal([]);
  });

  it('writes the file of a client, with a copy and a diff, and the server in it works', async () => {
    const place = await setupProject();
    const { code, stdout } = await setup(place, ['--client', 'cursor', '--providers', 'mail', '--write']);
    expect(code).to.equal(0);
    expect(stdout).to.include('the server lists 3 tools').and.to.include('+    "toolkit": {');
    expect(stdout).not.to.include('sk-secret');
    const folder = path.join(place.home, '.cursor');
    const { mcpServers } = (await read(path.join(folder, 'mcp.json'))) as Record<string, Record<string, never>>;
    expect(mcpServers?.['other']).to.deep.equal({ command: 'npx', env: { KEY: 'sk-secret' } });
    expect(await listed(mcpServers?.['toolkit'] as never)).to.have.members(['mail_read', 'mail_send', 'toolkit_get_output']);
    const names = await readdir(folder);
    expect(names).to.have.length(2);
    expect(names[1]).to.match(/^mcp\.json\.\d{8}T\d{6}Z\.toolkit\.bak$/);
  });

  it('changes nothing the second time', async () => {
    const place = await setupProject();
    const args = ['--client', 'vscode', '--write', '--no-test', '--name', 'shop'];
    expect((await setup(place, args)).stdout).to.include('Wrote ');
    const second = await setup(place, [...args, '--json']);
    const file = path.join(place.home, '.config/Code/User/mcp.json');
    expect(JSON.parse(second.stdout).written).to.deep.equal([{ client: 'vscode', file, backup: null, changed: false }]);
    expect(await readdir(path.dirname(file))).to.have.members(['mcp.json', 'settings.json']);
    expect(await read(file)).to.have.nested.property('servers.shop.type', 'stdio');
  });

  it('over HTTP tests the server on a free port, and the command line that it prints serves at the address it writes', async () => {
    const place = await setupProject();
    const { code, stdout } = await setup(place, ['--client', 'cursor', '--transport', 'http', '--json']);
    expect(code).to.equal(0);
    const { test, server, clients } = JSON.parse(stdout);
    expect(test).to.deep.include({ transport: 'http', ok: true, tools: 6 });
    expect(clients[0].configuration.mcpServers.toolkit.url).to.equal(server.http.url);
    const args = [...(server.http.args as string[]).slice(2), '--port', '0'];
    const running = start(args, { cwd: '/', env: { TOOLKIT_MCP_TOKEN: 'a-token' } });
    const [, url = ''] = await running.waitFor(/MCP server: (\S+)/);
    expect(new URL(url).pathname).to.equal(new URL(server.http.url).pathname);
    expect((await (await httpClient(url, 'a-token')).listTools()).tools).to.have.length(6);
  });

  it('has the server read .env where that file holds what the tools need', async () => {
    const place = await setupProject({ 'project/.env': 'SHOP_TOKEN=sk-value\n' });
    const { stdout } = await setup(place, ['--json', '--no-test', '--providers', 'shop']);
    expect(stdout).not.to.include('sk-value');
    const { server, providers } = JSON.parse(stdout);
    const file = path.join(place.cwd, '.env');
    expect(server.stdio.args.slice(-6)).to.deep.equal(['--tools', 'shop_*', '--secrets', 'env,dotenv', '--env-file', file]);
    expect(providers[0].variables[1]).to.deep.include({ name: 'SHOP_TOKEN', set: true, source: 'dotenv' });
  });

  it('says on standard error what is missing and what to do where it prints JSON', async () => {
    const place = await setupProject();
    const { code, stdout, stderr } = await setup(place, ['--json', '--no-test', '--providers', 'shop']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout).secrets).to.deep.equal({ file: path.join(place.cwd, '.env'), missing: ['SHOP_TOKEN'] });
    expect(stderr)
      .to.match(/^Still missing: SHOP_TOKEN\. Write them into .*\.env, each as NAME=value, and run this again/)
      .and.to.include('In a terminal "toolkit mcp setup", without --write and --json, asks for them');
  });

  it('keeps the core tools when providers are chosen, and knows what each client is listed of them', async () => {
    const place = await setupProject(withCore);
    const { stdout } = await setup(place, ['--json', '--no-test', '--transport', 'stdio', '--providers', 'shop']);
    const { server, providers, clients } = JSON.parse(stdout);
    expect(providers.map(({ name }: { name: string }) => name)).to.deep.equal(['core', 'shop']);
    expect(server.stdio.args.slice(3, 6)).to.deep.equal(['--tools', server.stdio.args[4], '--expose']);
    expect(server.stdio.args[4].split(',')).to.include.members(['toolkit_*', 'time_*', 'shop_*']).and.not.to.include('mail_*');
    expect(server.expose).to.equal('auto');
    // With the tool that goes with every list.
    expect(server.lists.all.tools).to.equal(server.tools + 1);
    expect(server.lists.all.tokens).to.be.greaterThan(10_000);
    expect(server.lists.search.tokens).to.be.below(1500);
    const limits = clients.map((client: Record<string, unknown>) => [client['name'], client['max_tools'], client['listed']]);
    expect(limits).to.deep.equal([
      ['claude-desktop', null, 'search'],
      ['claude-code', null, 'all'],
      ['cursor', 40, 'search'],
      ['vscode', 128, 'search'],
      ['windsurf', 100, 'search'],
      ['generic', null, 'search'],
    ]);
  });

  it('leaves the core tools out with --no-core, and keeps those that search', async () => {
    const place = await setupProject(withCore);
    const args = ['--client', 'cursor', '--write', '--no-core'];
    const { code, stdout } = await setup(place, args);
    expect(code).to.equal(0);
    expect(stdout).to.include('All are listed to Cursor (takes 40 at most, of all servers).');
    const file = await read(path.join(place.home, '.cursor/mcp.json'));
    const { toolkit } = (file as Record<string, Record<string, never>>)['mcpServers'] ?? {};
    expect(await listed(toolkit as never, 'cursor-vscode')).to.have.members(own);
    const { args: words, ...rest } = toolkit as unknown as { command: string; args: string[]; env: Record<string, string> };
    const searching = words.map((word) => (word === 'auto' ? 'search' : word));
    expect(await listed({ ...rest, args: searching }))
      .to.include('toolkit_search_tools')
      .and.not.to.include('time_now');
  });

  it('writes an entry with which a client that takes few tools is listed few, and says so after the test', async () => {
    const place = await setupProject(withCore);
    const { stdout } = await setup(place, ['--client', 'cursor', '--write', '--providers', 'mail']);
    expect(stdout).to.match(/the server lists 5 tools, which find and call 1\d\d \(/);
    expect(stdout).to.match(/Listing 1\d\d tools takes about [\d,]+ tokens .*; the 5 that find and call the others take about [\d,]+\.\n/);
    const file = await read(path.join(place.home, '.cursor/mcp.json'));
    const { toolkit } = (file as Record<string, Record<string, never>>)['mcpServers'] ?? {};
    expect(await listed(toolkit as never, 'cursor-vscode'))
      .to.have.length(5)
      .and.to.include('toolkit_search_tools');
    expect(await listed(toolkit as never, 'claude-code')).to.have.length.greaterThan(100);
  });

  it('leaves the exposure to a configuration that says it', async () => {
    const config = `${withCore['project/toolkit.config.yaml']}  - [toolkit/plugins/mcp, { expose: search }]\n`;
    const place = await setupProject({ 'project/toolkit.config.yaml': config });
    const { server, clients } = JSON.parse((await setup(place, ['--json', '--no-test', '--client', 'claude-code'])).stdout);
    expect(server.expose).to.equal('search');
    expect(server.stdio.args).not.to.include('--expose');
    expect(clients[0]).to.deep.include({ searches_tools: true, listed: 'search' });
  });

  it('writes nothing when the server does not start, and shows what it printed', async () => {
    const config = `import { standard, mcp } from ${JSON.stringify(path.resolve('dist/plugins/toolkit/index.js'))};
if (process.argv[3] !== 'setup') throw new Error('only for the setup');
export default { plugins: [standard({ toolPaths: ['tools'], autoDiscover: false, includeCore: false }), mcp()] };
`;
    const place = await setupProject({ 'project/toolkit.config.mjs': config });
    const before = await readFile(path.join(place.home, '.cursor/mcp.json'), 'utf8');
    const { code, stdout, stderr } = await setup(place, ['--client', 'cursor', '--write']);
    expect(code).to.equal(1);
    expect(stdout).to.include('It printed:\n  toolkit: CONFIG_INVALID').and.to.include('only for the setup');
    expect(stderr).to.include('No file was written; --no-test writes it all the same.');
    expect(await readFile(path.join(place.home, '.cursor/mcp.json'), 'utf8')).to.equal(before);
  });

  const refusals: { title: string; args: string[]; code: number; says: RegExp; files?: Record<string, string> }[] = [
    { title: '--write without a client', args: ['--write'], code: 2, says: /--write needs the client/ },
    { title: 'a client that is not known', args: ['--client', 'cursr'], code: 2, says: /received "cursr".*Did you mean "cursor"/ },
    { title: 'a provider without tools', args: ['--providers', 'shp'], code: 2, says: /names "shp", of which there are no tools/ },
    { title: 'core tools that are left out', args: ['--no-core', '--providers', 'core'], code: 2, says: /names "core", of which/ },
    { title: 'a flag of the server itself', args: ['--port', '1'], code: 2, says: /unknown option '--port'/ },
    { title: 'a name with a dot', args: ['--name', 'a.b'], code: 2, says: /received "a\.b"/ },
    {
      title: 'a client that is not installed',
      args: ['--client', 'windsurf', '--write', '--no-test'],
      code: 1,
      says: /Windsurf is not installed here/,
    },
    {
      title: 'a file that is not JSON',
      args: ['--client', 'cursor', '--write', '--no-test'],
      files: { 'home/.cursor/mcp.json': '{\n  oops' },
      code: 1,
      says: /mcp\.json is not JSON: line 2, column 3: found something that JSON does not have.*\. It is left as it is\./,
    },
  ];
  for (const { title, args, code, says, files } of refusals) {
    it(`refuses ${title}`, async () => {
      const place = await setupProject(files);
      const done = await setup(place, args);
      expect(done.stderr).to.match(says);
      expect(done.code).to.equal(code);
      for (const [name, text] of Object.entries(files ?? {}))
        expect(await readFile(path.join(place.home, '..', name), 'utf8')).to.equal(text);
    });
  }
});
