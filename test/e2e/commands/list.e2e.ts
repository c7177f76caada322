import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { terminal } from '../../support/terminal.ts';
import { program, start } from '../program.ts';

const config = `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
`;

const tool = (name: string, risk: string) =>
  `name: ${name}\ndescription: Does what ${name} says.\nrisk: ${risk}\nexecution: { type: command, command: "true" }\n`;

const files = {
  'toolkit.config.yaml': config,
  'tools/shop/definition.yaml': 'provider: { name: shop }\n',
  'tools/shop/a.yaml': tool('shop_order', 'high'),
  'tools/shop/b.yaml': tool('shop_list', 'low'),
  'tools/free.yaml': tool('free', 'low'),
};

async function list(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const cwd = await temporaryFolder(files);
  return new Promise((resolve) => {
    const { PATH = '' } = process.env;
    execFile(process.execPath, [program, 'list', ...args], { cwd, env: { PATH } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('toolkit list', () => {
  it('shows each tool on a line, and how many there are', async () => {
    const { code, stdout } = await list();
    expect(code).to.equal(0);
    expect(stdout.split('\n')).to.deep.equal([
      'free        low   Does what free says.',
      'shop_list   low   Does what shop_list says.',
      'shop_order  high  Does what shop_order says.',
      '3 tools',
      '',
    ]);
  });

  const filters = [
    { args: ['--provider', 'shop'], names: ['shop_list', 'shop_order'] },
    { args: ['--provider', 'none'], names: ['free'] },
    { args: ['--risk', 'low'], names: ['free', 'shop_list'] },
    { args: ['--provider', 'shop', '--risk', 'high'], names: ['shop_order'] },
    { args: ['--provider', 'none', '--risk', 'high'], names: [] },
  ];
  for (const { args, names } of filters) {
    it(`shows ${names.join(' and ') || 'nothing'} for ${args.join(' ')}`, async () => {
      const tools = JSON.parse((await list(...args, '--json')).stdout) as { name: string }[];
      expect(tools.map(({ name }) => name)).to.deep.equal(names);
    });
  }

  it('names the providers and the risks there are for others', async () => {
    const provider = await list('--provider', 'shp');
    expect(provider.code).to.equal(2);
    expect(provider.stderr).to.include('There is no tool of the provider "shp". Those there are: none, shop.');
    const risk = await list('--risk', 'huge');
    expect(risk.code).to.equal(2);
    expect(risk.stderr).to.include('expected low, medium or high, received "huge"');
  });
});

describe('toolkit list --available', () => {
  const paid = 'name: shop_paid\ndescription: Pays.\nexecution: { type: command, command: "true", env: { KEY: "{SHOP_KEY}" } }\n';

  async function available(env: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
    const cwd = await temporaryFolder({ ...files, 'tools/shop/paid.yaml': paid, ...more });
    const { exit, stdout, stderr } = start(['list', '--available', '--provider', 'shop', '--json'], { cwd, env });
    const { code } = await exit;
    return { code, stdout: stdout(), stderr: stderr() };
  }

  const cases = [
    { title: 'leaves out a tool whose secret nobody has', env: {}, names: ['shop_list', 'shop_order'] },
    { title: 'shows it once somebody has', env: { SHOP_KEY: 'k' }, names: ['shop_list', 'shop_order', 'shop_paid'] },
  ];
  for (const { title, env, names } of cases)
    it(title, async () => {
      const { stdout } = await available(env as Readonly<Record<string, string>>);
      expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).to.deep.equal(names);
    });

  it('guesses nothing while a store cannot be asked', async () => {
    const resolvers = 'secretResolver: { resolvers: [{ type: dotenv, path: gone.env }] }';
    const { code, stdout, stderr } = await available(
      {},
      { 'toolkit.config.yaml': config.replace('includeCore: false', `includeCore: false, ${resolvers}`) },
    );
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('gone.env');
  });
});

describe('toolkit list in a terminal', () => {
  const long = `name: shop_long\ndescription: ${'Finds 日本語 orders by customer, day and state, newest first. '.repeat(4)}\nexecution: { type: command, command: "true" }\n`;
  const odd =
    'name: shop_odd\ndescription: "Hides\\e[2J\\u202e what it is.\\nAnd goes on."\nexecution: { type: command, command: "true" }\n';

  for (const columns of [80, 40]) {
    it(`fits ${columns} columns`, async () => {
      const cwd = await temporaryFolder({ ...files, 'tools/shop/long.yaml': long, 'tools/shop/odd.yaml': odd });
      const { ended, screen } = terminal(['list'], { cwd, columns });
      expect(await ended).to.equal(0);
      await matchesSnapshot(`list-${columns}`, screen());
    });
  }

  it('is coloured, but not where NO_COLOR is set, and hides nothing', async () => {
    const cwd = await temporaryFolder({ ...files, 'tools/shop/odd.yaml': odd });
    const plain = terminal(['list'], { cwd, env: { NO_COLOR: '1' } });
    const coloured = terminal(['list'], { cwd });
    expect([await plain.ended, await coloured.ended]).to.deep.equal([0, 0]);
    expect(plain.raw()).to.not.include('\x1b[3').and.to.not.include('\x1b[2J');
    expect(coloured.raw()).to.include('\x1b[36mshop_odd\x1b[39m').and.to.not.include('\x1b[2J').and.to.not.include('\u202e');
  });

  it('says what to do where there is no tool', async () => {
    const cwd = await temporaryFolder({ 'toolkit.config.yaml': config, 'tools/readme.md': 'nothing yet' });
    const { ended, screen } = terminal(['list'], { cwd });
    expect(await ended).to.equal(0);
    await matchesSnapshot('list-nothing', screen());
  });
});

describe('toolkit list of very many tools', () => {
  it('shows each of 10,000', async () => {
    const cwd = await temporaryFolder({ 'toolkit.config.yaml': config });
    mkdirSync(path.join(cwd, 'tools/many'), { recursive: true });
    // By promises, one after the other, this takes longer than the program.
    for (let index = 0; index < 10_000; index++)
      writeFileSync(path.join(cwd, `tools/many/tool_${index}.yaml`), tool(`many_tool_${index}`, 'low'));
    const { exit, stdout } = start(['list'], { cwd });
    expect((await exit).code).to.equal(0);
    const lines = stdout().trimEnd().split('\n');
    expect(lines).to.have.length(10_001);
    expect(lines.at(-1)).to.equal('10000 tools');
  });
});
