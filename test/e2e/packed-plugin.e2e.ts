import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Finding } from '../../kernel/index.ts';
import { installIn } from '../support/installed.ts';
import { onceForFile, temporaryFolder, writeFiles } from '../support/temporary.ts';
import { start } from './program.ts';

const run = promisify(execFile);

/** A project into which npm has installed the plugin from its tarball, without a network. */
const installed = onceForFile(async () => {
  const folder = await temporaryFolder({
    'package.json': '{ "name": "a-project", "type": "module" }',
    'notes.txt': 'bread\n\nmilk\n',
    'more.txt': 'pears\napples\n',
  });
  const npm = (...args: readonly string[]) => run('npm', [...args], { cwd: folder, shell: process.platform === 'win32' });
  const { stdout } = await npm('pack', '--json', '--ignore-scripts', path.resolve('fixtures/plugins/toolkit-plugin-notebook'));
  // Own text: the answer of npm.
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { readonly filename?: string }[];
  await npm('install', '--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`);
  await installIn(folder);
  return folder;
});

async function toolkit(options: object, ...args: readonly string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const cwd = await installed();
  const entry = ['toolkit-plugin-notebook', options];
  await writeFiles(cwd, { 'toolkit.config.json': JSON.stringify({ plugins: [entry, 'toolkit/plugins/cli'] }) });
  const { exit, stdout, stderr } = start(args, { cwd });
  const { code } = await exit;
  return { code, output: stdout(), errors: stderr() };
}

describe('a plugin of a third party, installed from its tarball', () => {
  for (const { what, options, code, finding } of [
    { what: 'its defaults', options: {}, code: 0, finding: { state: 'ok', message: 'notes.txt: 2 of at most 100 notes' } },
    {
      what: 'an option that its file does not keep',
      options: { maxNotes: 1 },
      code: 0,
      finding: { state: 'warning', message: 'notes.txt has 2 notes: expected at most 1', hint: 'Take some out.' },
    },
    {
      what: 'an option that names no file',
      options: { file: 'gone.txt' },
      code: 1,
      finding: {
        state: 'problem',
        message: 'gone.txt cannot be read (ENOENT)',
        hint: 'Write it, or correct "file" of notebook.',
      },
    },
  ])
    it(`is examined by toolkit doctor with ${what}`, async () => {
      const result = await toolkit(options, 'doctor', '--json');
      // Own text: the report of the program.
      const { findings } = JSON.parse(result.output) as { readonly findings: readonly Finding[] };
      expect(findings.filter(({ check }) => check === 'Notebook')).to.deep.equal([{ check: 'Notebook', ...finding }]);
      expect(result.code, result.errors).to.equal(code);
    });

  it('has its command in the help, and its flag in the help of the command', async () => {
    expect((await toolkit({}, '--help')).output).to.match(/^ {2}notebook\b/m);
    expect((await toolkit({}, 'notebook', 'show', '--help')).output).to.include('--first <number>');
  });

  it('runs its command with its options', async () => {
    const { code, output, errors } = await toolkit({ file: './notes.txt' }, 'notebook', 'show', '--first', '1');
    expect(errors).to.equal('');
    expect({ code, output }).to.deep.equal({ code: 0, output: 'bread\n' });
  });

  it('has its flags in the commands that find tools, read as its schema says', async () => {
    for (const command of ['mcp', 'dev', 'worker'])
      expect((await toolkit({}, command, '--help')).output.replace(/\s+/g, ' ')).to.include(
        '--notes <file> file of the notes (default: notes.txt) --order <word> the order of the notes (default: written)',
      );
    expect((await toolkit({}, 'run', '--help')).output).not.to.include('--notes');
    expect(await toolkit({}, 'notebook', 'show', '--order', 'random')).to.deep.include({ code: 2, output: '' });
  });

  it('has options of its configuration replaced by flags', async () => {
    const given = { file: 'gone.txt', order: 'written' };
    const { code, output, errors } = await toolkit(given, 'notebook', 'show', '--notes', 'more.txt', '--order', 'sorted');
    expect(errors).to.equal('');
    expect({ code, output }).to.deep.equal({ code: 0, output: 'apples\npears\n' });
  });

  it('has an option refused that its schema does not know', async () => {
    const { code, errors } = await toolkit({ maxNote: 1 }, 'notebook', 'show');
    expect(errors).to.match(/PLUGIN_INVALID.*maxNote/);
    expect(code).to.equal(1);
  });
});
