import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { start } from '../program.ts';
import { setupProject } from './setup-project.ts';

type Place = Awaited<ReturnType<typeof setupProject>>;

const url = 'http://127.0.0.1:3000/mcp';

/** Files of the clients on Linux, and the member that holds the servers. */
const files: Readonly<Record<string, readonly [file: string, key: string]>> = {
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', 'mcpServers'],
  'claude-code': ['.claude.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  vscode: ['.config/Code/User/mcp.json', 'servers'],
  windsurf: ['.codeium/windsurf/mcp_config.json', 'mcpServers'],
};

const names = Object.keys(files);

const all = names.join(',');

/** Entries with a token, as a person has them at work. */
const overHttp: Readonly<Record<string, object>> = {
  'claude-desktop': { command: 'npx', args: ['-y', 'mcp-remote', url, '--header', 'Authorization: Bearer tok-1'] },
  'claude-code': { type: 'http', url, headers: { authorization: 'Bearer tok-1' } },
  cursor: { url, headers: { Authorization: 'Bearer tok-1' } },
  vscode: { type: 'http', url, headers: { Authorization: 'Bearer tok-1' } },
  windsurf: { serverUrl: url, headers: { Authorization: 'Bearer tok-1' } },
};

async function setup({ cwd, home }: Place, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { exit, stdout, stderr, child } = start(['mcp', 'setup', '--no-test', ...args], { cwd, env: { HOME: home, ...env } });
  child.stdin?.end();
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** A project, and a home in which each client has this entry under the name `toolkit`. */
async function withEntries(entryOf: (client: string, cwd: string) => object): Promise<Place> {
  const place = await setupProject();
  const written = Object.entries(files).map(([client, [file, key]]) => [
    path.join('home', file),
    JSON.stringify({ [key]: { toolkit: entryOf(client, place.cwd) } }),
  ]);
  return setupProject(Object.fromEntries(written));
}

const fileOf = ({ home }: Place, client: string): string => path.join(home, files[client]?.[0] ?? '');

const textsOf = (place: Place): Promise<string[]> => Promise.all(names.map((client) => readFile(fileOf(place, client), 'utf8')));

async function entryOf(place: Place, client: string, name = 'toolkit'): Promise<unknown> {
  const [, key = ''] = files[client] ?? [];
  return JSON.parse(await readFile(fileOf(place, client), 'utf8'))[key]?.[name];
}

describe('toolkit mcp setup and an entry that works', () => {
  it('keeps its token over HTTP, in whatever form each client has it', async () => {
    const place = await withEntries((client) => overHttp[client] ?? {});
    const { code } = await setup(place, ['--client', all, '--transport', 'http', '--write'], { TOOLKIT_MCP_TOKEN: 'tok-2' });
    expect(code).to.equal(0);
    for (const client of names) expect(await entryOf(place, client)).to.deep.equal(overHttp[client]);
  });

  it('leaves one over HTTP as it is where stdio is asked for, and says both ways on', async () => {
    const place = await withEntries((client) => overHttp[client] ?? {});
    const before = await textsOf(place);
    const { code, stderr } = await setup(place, ['--client', all, '--transport', 'stdio', '--write']);
    expect(code).to.equal(1);
    expect(stderr.match(/reaches a server over HTTP at http:\/\/127\.0\.0\.1:3000/g)).to.have.length(names.length);
    expect(stderr).to.include('--name toolkit-stdio, or put this one in its place with --replace');
    expect(await textsOf(place)).to.deep.equal(before);
  });

  it('leaves one over stdio as it is where HTTP is asked for', async () => {
    const place = await withEntries((_client, cwd) => ({ command: 'node', args: ['main.js', 'mcp'], env: { TOOLKIT_CWD: cwd, KEY: 'k' } }));
    const before = await textsOf(place);
    const { code } = await setup(place, ['--client', all, '--transport', 'http', '--write']);
    expect(code).to.equal(1);
    expect(await textsOf(place)).to.deep.equal(before);
  });

  it('brings one over stdio up to date, with what stands in its env', async () => {
    const place = await withEntries(() => ({ command: 'node', args: ['main.js', 'mcp'], env: { KEY: 'k' } }));
    expect((await setup(place, ['--client', all, '--transport', 'stdio', '--write'])).code).to.equal(0);
    for (const client of names)
      expect(await entryOf(place, client)).to.deep.include({ command: process.execPath, env: { KEY: 'k', TOOLKIT_CWD: place.cwd } });
  });

  it('says that it belongs to another project, and takes a name of its own or its place', async () => {
    const place = await withEntries(() => ({ command: 'node', args: ['main.js', 'mcp'], env: { TOOLKIT_CWD: '/srv/other', KEY: 'k' } }));
    const args = ['--client', 'cursor', '--write'];
    const { code, stderr } = await setup(place, args);
    expect(code).to.equal(1);
    expect(stderr).to.include('which belongs to another project, /srv/other').and.to.include('--name toolkit-project');
    expect((await setup(place, [...args, '--name', 'toolkit-project'])).code).to.equal(0);
    expect(await entryOf(place, 'cursor')).to.have.nested.property('env.TOOLKIT_CWD', '/srv/other');
    expect(await entryOf(place, 'cursor', 'toolkit-project')).to.have.nested.property('env.TOOLKIT_CWD', place.cwd);
    expect((await setup(place, [...args, '--replace'])).code).to.equal(0);
    expect(await entryOf(place, 'cursor')).to.have.deep.property('env', { TOOLKIT_CWD: place.cwd });
  });

  it('comes back with --undo, change by change, beside what was written since', async () => {
    const place = await withEntries((client) => overHttp[client] ?? {});
    const args = ['--client', 'cursor', '--write'];
    await setup(place, [...args, '--replace']);
    await setup(place, [...args, '--providers', 'mail']);
    await setup(place, [...args, '--name', 'other']);
    const undo = async (): Promise<unknown> => {
      expect((await setup(place, [...args, '--undo'])).code).to.equal(0);
      return entryOf(place, 'cursor');
    };
    expect(await undo())
      .to.have.property('args')
      .that.does.not.include('--tools');
    expect(await undo()).to.deep.equal(overHttp['cursor']);
    expect(await entryOf(place, 'cursor', 'other')).to.be.an('object');
    const { code, stderr } = await setup(place, [...args, '--undo']);
    expect(code).to.equal(1);
    expect(stderr).to.include('There is no copy for "toolkit" beside');
  });

  it('is taken out with --remove, and only shown without --write', async () => {
    const place = await withEntries((client) => overHttp[client] ?? {});
    const shown = await setup(place, ['--client', 'cursor', '--remove']);
    expect(shown.stdout).to.include('is left as it is. --write changes it.').and.not.to.include('tok-1');
    expect(await entryOf(place, 'cursor')).to.deep.equal(overHttp['cursor']);
    await setup(place, ['--client', 'cursor', '--remove', '--write']);
    expect(await entryOf(place, 'cursor')).to.equal(undefined);
    expect((await setup(place, ['--client', 'cursor', '--remove', '--write'])).stdout).to.include(
      'has no entry "toolkit": nothing was changed',
    );
  });

  it('gets the token itself only where that is said, into a file that only its owner can read, and never into what is printed', async () => {
    const place = await setupProject();
    const file = fileOf(place, 'cursor');
    await chmod(file, 0o644);
    const args = ['--client', 'cursor', '--transport', 'http', '--write'];
    await setup(place, args, { TOOLKIT_MCP_TOKEN: 'tok-2' });
    expect(await entryOf(place, 'cursor')).to.deep.equal({ url, headers: { Authorization: `Bearer \${env:TOOLKIT_MCP_TOKEN}` } });
    const { stdout } = await setup(place, [...args, '--write-token'], { TOOLKIT_MCP_TOKEN: 'tok-2' });
    expect(stdout).not.to.include('tok-2');
    expect(await entryOf(place, 'cursor')).to.deep.equal({ url, headers: { Authorization: 'Bearer tok-2' } });
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect((await setup(place, [...args, '--write-token'])).stderr).to.include('--write-token needs the token');
  });

  it('stands in the file of the project where that is asked for', async () => {
    const place = await setupProject();
    await mkdir(path.join(place.cwd, '.git'));
    const { code, stdout } = await setup(place, ['--client', 'claude-code,cursor,vscode', '--project-file', '--write']);
    expect(code).to.equal(0);
    expect(stdout).to.include('The entry holds paths of this machine.');
    const read = async (file: string) => JSON.parse(await readFile(path.join(place.cwd, file), 'utf8'));
    expect(await read('.mcp.json')).to.have.nested.property('mcpServers.toolkit.env.TOOLKIT_CWD', place.cwd);
    expect(await read('.cursor/mcp.json')).to.have.nested.property('mcpServers.toolkit.command', process.execPath);
    expect(await read('.vscode/mcp.json')).to.have.nested.property('servers.toolkit.type', 'stdio');
    expect(await readdir(place.home)).to.have.members(['.config', '.cursor']);
    const { stderr } = await setup(place, ['--client', 'windsurf', '--project-file', '--write']);
    expect(stderr).to.include('"windsurf" reads no file of a project. Those that do: claude-code, cursor, vscode.');
  });
});
