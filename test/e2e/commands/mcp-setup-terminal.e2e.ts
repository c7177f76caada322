import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { type OpenTerminal, terminal } from '../../support/terminal.ts';
import { gone, program, until } from '../program.ts';
import { setupProject } from './setup-project.ts';

const run = promisify(execFile);

const enter = '\r';
const down = '\x1b[B';
const ctrlC = '\x03';

interface Open {
  readonly at: OpenTerminal;
  readonly home: string;
  readonly file: string;
  /** Placeholders for texts that differ from run to run. */
  readonly places: Readonly<Record<string, string>>;
}

interface OpenOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function open(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  { columns = 80, env = {} }: OpenOptions = {},
): Promise<Open> {
  const { cwd, home } = await setupProject(files);
  const at = terminal(['mcp', 'setup', ...args], { cwd, env: { HOME: home, NO_COLOR: '1', ...env }, columns });
  const places = { [cwd]: '/project', [home]: '/home', [process.execPath]: '/usr/bin/node', [program]: '/opt/toolkit/main.js' };
  return { at, home, file: path.join(home, '.cursor/mcp.json'), places };
}

/** The screen without what a run measures, such as times. */
const steady = (screen: string): string => screen.replaceAll(/\(\d+\.\d s\)/g, '(0.5 s)').replaceAll(/\d{8}T\d{6}Z/g, '20260101T000000Z');

describe('toolkit mcp setup in a terminal', () => {
  it('asks for providers, transport and client, shows the change and writes it', async () => {
    // Wide enough for the path of a temporary folder, which would be wrapped.
    const { at, home, file, places } = await open(['--no-test'], {}, { columns: 120 });
    await at.shows('Whose tools may the assistant use?');
    // The last that is drawn of a question.
    await matchesSnapshot('mcp-setup-providers', await at.shows('└'), places);
    at.type(`${down}${down} ${enter}`);
    await at.shows('How does the assistant reach the server?');
    at.type(enter);
    await at.shows('For which assistants?');
    // VS Code, which is chosen because it is there, is left out.
    at.type(`${down}${down}${down} ${enter}`);
    await at.shows('Missing: SHOP_TOKEN.');
    at.type('n');
    await at.shows('Write this?');
    at.type(enter);
    expect(await at.ended).to.equal(0);
    const text = await readFile(file, 'utf8');
    const { mcpServers } = JSON.parse(text);
    expect(mcpServers.other).to.deep.equal({ command: 'npx', env: { KEY: 'sk-secret' } });
    expect(mcpServers.toolkit.args.slice(2)).to.deep.equal(['mcp', '--approval', 'elicit']);
    expect(mcpServers.toolkit.env).to.deep.equal({ TOOLKIT_CWD: path.join(home, '../project') });
    expect(at.raw()).not.to.include('sk-secret');
    expect(await readdir(path.dirname(file))).to.have.length(2);
  });

  it('shows what it found, tests the server and says what to do next', async () => {
    // So wide that no folder of this machine decides where a line ends.
    const { at, places } = await open(['--client', 'vscode', '--transport', 'stdio', '--providers', 'shop,mail'], {}, { columns: 500 });
    await at.shows('Missing: SHOP_TOKEN.');
    at.type('n');
    await at.shows('Write this?');
    at.type(enter);
    expect(await at.ended).to.equal(0);
    const screen = steady(at.screen());
    expect(screen).to.include('Tested: over stdio as a client does it, the server lists 5 tools');
    await matchesSnapshot('mcp-setup-written', screen, places);
  });

  it('leaves a file that is not JSON as it is, and shows what to paste', async () => {
    const { at, file } = await open(['--client', 'cursor', '--transport', 'http', '--providers', 'mail', '--no-test'], {
      'home/.cursor/mcp.json': '{ "mcpServers": oops }',
    });
    await at.shows('Next:');
    expect(await at.ended).to.equal(0);
    expect(at.screen().replaceAll(/\s+/g, ' '))
      .to.include('is not JSON')
      .and.to.include('To paste:')
      .and.to.include(`Bearer \${env:TOOLKIT_MCP_TOKEN}`);
    expect(await readFile(file, 'utf8')).to.equal('{ "mcpServers": oops }');
    expect(await readdir(path.dirname(file))).to.deep.equal(['mcp.json']);
  });

  const toShop = ['--client', 'cursor', '--transport', 'stdio', '--providers', 'shop'];

  it('asks for what is missing, hidden, writes it into .env for its owner alone, and goes on', async () => {
    const { at, home, file, places } = await open(toShop, {}, { columns: 500 });
    const envFile = path.join(home, '../project/.env');
    await run('git', ['init'], { cwd: path.dirname(envFile) });
    await at.shows('Missing: SHOP_TOKEN.');
    at.type(enter);
    await at.shows('SHOP_TOKEN Key of your shop.');
    at.type(`sk-typed$1${enter}`);
    await at.shows('Write this?');
    expect(await readFile(envFile, 'utf8')).to.equal('SHOP_TOKEN=sk-typed\\$1\n');
    expect((await stat(envFile)).mode & 0o777).to.equal(0o600);
    at.type(enter);
    expect(await at.ended).to.equal(0);
    const { mcpServers } = JSON.parse(await readFile(file, 'utf8'));
    expect(mcpServers.toolkit.args.slice(3, 9)).to.deep.equal(['--tools', 'shop_*', '--secrets', 'env,dotenv', '--env-file', envFile]);
    expect(at.raw() + JSON.stringify(mcpServers)).not.to.include('sk-typed');
    expect(await readdir(path.dirname(envFile))).to.have.members(['.env', '.git', 'toolkit.config.yaml', 'tools']);
    await matchesSnapshot('mcp-setup-secrets', steady(at.screen()), places);
  });

  it('writes what only this shell has beside what the file holds, once it is told to', async () => {
    const before = '# mine\nOTHER="kept"';
    const { at, home } = await open([...toShop, '--no-test'], { 'project/.env': before }, { env: { SHOP_TOKEN: 'sk-of-shell' } });
    await at.shows('of this shell. Copy to');
    at.type(enter);
    await at.shows('Write this?');
    expect(await readFile(path.join(home, '../project/.env'), 'utf8')).to.equal(`${before}\nSHOP_TOKEN=sk-of-shell\n`);
    expect(at.raw()).not.to.include('sk-of-shell');
    expect(at.screen()).not.to.include('Still missing');
  });

  it('writes no file of secrets where a person types nothing', async () => {
    const { at, home, file } = await open([...toShop, '--no-test']);
    await at.shows('Missing: SHOP_TOKEN.');
    at.type(enter);
    await at.shows('SHOP_TOKEN Key of your shop.');
    at.type(enter);
    await at.shows('Write this?');
    at.type(enter);
    expect(await at.ended).to.equal(0);
    expect(at.screen().replaceAll(/\s+/g, ' ')).to.include('Still missing: SHOP_TOKEN.');
    expect(await readdir(path.join(home, '../project'))).not.to.include('.env');
    expect(await readFile(file, 'utf8')).not.to.include('--secrets');
  });

  it('adds to the file that the configuration names, which then needs no flag', async () => {
    const config = `plugins:
  - - toolkit/standard
    - { toolPaths: [tools], autoDiscover: false, includeCore: false, secretResolver: { resolvers: [{ type: dotenv, path: keys/shop.env }] } }
`;
    const { at, home, file } = await open([...toShop, '--no-test'], {
      'project/toolkit.config.yaml': config,
      'project/keys/shop.env': 'A=1\n',
    });
    await at.shows('Missing: SHOP_TOKEN.');
    at.type(enter);
    await at.shows('SHOP_TOKEN Key of your shop.');
    at.type(`sk-typed${enter}`);
    await at.shows('Write this?');
    at.type(enter);
    expect(await at.ended).to.equal(0);
    expect(await readFile(path.join(home, '../project/keys/shop.env'), 'utf8')).to.equal('A=1\nSHOP_TOKEN=sk-typed\n');
    expect(await readFile(file, 'utf8')).not.to.include('--secrets');
  });

  const moments = [
    { title: 'at the first question', args: ['--no-test'], shows: 'Whose tools' },
    { title: 'while a secret is typed', args: toShop, before: ['Missing: SHOP_TOKEN.', enter], shows: 'SHOP_TOKEN Key of your shop.' },
    {
      title: 'before a file is written',
      args: ['--no-test', '--client', 'cursor', '-t', 'stdio', '--providers', 'mail'],
      shows: 'Write this?',
    },
  ];
  for (const { title, args, before: [first, answer] = [], shows } of moments) {
    it(`writes nothing on Ctrl-C ${title}`, async () => {
      const { at, home, file } = await open(args);
      const before = await readFile(file, 'utf8');
      if (first !== undefined && answer !== undefined) {
        await at.shows(first);
        at.type(answer);
      }
      await at.shows(shows);
      at.type(ctrlC);
      expect(await at.ended).to.equal(1);
      expect(at.screen()).to.include('ABORTED: Nothing was done: it was cancelled.');
      expect(await readFile(file, 'utf8')).to.equal(before);
      expect(await readdir(path.dirname(file))).to.deep.equal(['mcp.json']);
      expect(await readdir(path.join(home, '../project'))).not.to.include('.env');
    });
  }

  it('ends the server that it tests on Ctrl-C', async () => {
    const config = `import { writeFileSync } from 'node:fs';
import { standard, mcp } from ${JSON.stringify(path.resolve('dist/plugins/toolkit/index.js'))};
if (process.argv[3] !== 'setup') {
  writeFileSync('server.pid', String(process.pid));
  process.stderr.write('waiting');
  await new Promise((resolve) => process.stdin.once('end', resolve).resume());
}
export default { plugins: [standard({ toolPaths: ['tools'], autoDiscover: false, includeCore: false }), mcp()] };
`;
    const { at, home, file } = await open(['--client', 'cursor', '-t', 'stdio', '--providers', 'mail'], {
      'project/toolkit.config.mjs': config,
      'project/toolkit.config.yaml': '',
    });
    await at.shows('Starting the server');
    // The file is there a moment before what is in it.
    const pid = await until(async () => (await readFile(path.join(home, '../project/server.pid'), 'utf8').catch(() => '')) || undefined);
    at.type(ctrlC);
    expect(await at.ended).to.equal(1);
    await gone(Number(pid));
    expect(await readdir(path.dirname(file))).to.deep.equal(['mcp.json']);
  });

  it('names what was written before Ctrl-C', async () => {
    const { at, home, file } = await open(['--no-test', '--client', 'cursor,vscode', '-t', 'stdio', '--providers', 'mail']);
    await at.shows('Write this?');
    at.type(enter);
    await at.shows('VS Code: a new file');
    await at.shows(/Write this\?[\s\S]*Write this\?/);
    at.type(ctrlC);
    expect(await at.ended).to.equal(1);
    expect(at.screen().replaceAll('\n', '')).to.include(`ABORTED: Stopped. Written before: ${file}.`);
    expect(await readdir(path.join(home, '.config/Code/User'))).to.deep.equal(['settings.json']);
  });
});
