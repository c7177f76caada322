import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import which from 'which';
import { temporaryFolder } from '../../support/temporary.ts';
import { program, start } from '../program.ts';
import { project } from '../project.ts';

const run = promisify(execFile);

/** Returns the completions of `toolkit complete` for these words, without descriptions. */
async function offered(words: readonly string[], cwd: string): Promise<string[]> {
  const asked = start(['complete', '--', ...words], { cwd });
  expect((await asked.exit).code).to.equal(0);
  return asked
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion', () => {
  const cases: { title: string; words: string[]; includes?: string[]; equals?: string[] }[] = [
    { title: 'commands', words: ['va'], equals: ['validate'] },
    { title: 'commands of a group', words: ['secrets', ''], includes: ['check'] },
    { title: 'flags of the command, and those of all commands', words: ['mcp', '--'], includes: ['--transport', '--tools', '--cwd'] },
    { title: 'values of a flag', words: ['mcp', '-t', ''], equals: ['stdio', 'http'] },
    { title: 'values of a flag with its equals sign', words: ['mcp', '--approval=e'], equals: ['--approval=elicit'] },
    { title: 'providers', words: ['list', '--provider', 'co'], equals: ['core'] },
    { title: 'the last tool of a list', words: ['mcp', '--tools', 'fs_read_file,fs_wri'], equals: ['fs_read_file,fs_write_file'] },
    { title: 'nothing where only the shell knows', words: ['validate', ''], equals: [] },
    { title: 'nothing after what nobody knows', words: ['no-such-command', ''], includes: [] },
  ];
  for (const { title, words, includes = [], equals } of cases) {
    it(`offers ${title}`, async () => {
      const found = await offered(words, await project());
      if (equals !== undefined) expect(found).to.deep.equal(equals);
      expect(found).to.include.members(includes);
    });
  }

  it('knows the tools of the folder that --cwd names', async () => {
    const cwd = await project({
      'tools/own_tool.yaml': 'name: own_tool\ndescription: Says hello.\nexecution: { type: command, command: echo, args: [hello] }\n',
      'toolkit.config.json': '{ "plugins": [["toolkit/standard", { "toolPaths": ["tools"] }]] }',
    });
    expect(await offered(['--cwd', cwd, 'mcp', '--tools', 'own'], await temporaryFolder())).to.deep.equal(['own_tool']);
  });

  it('offers commands although the configuration is broken', async () => {
    const cwd = await project({ 'toolkit.config.json': '{' });
    expect(await offered(['li'], cwd)).to.deep.equal(['list']);
  });

  it('refuses a shell that it has no script for', async () => {
    const asked = start(['completion', 'tcsh'], { cwd: await project() });
    expect((await asked.exit).code).to.equal(2);
    expect(asked.stderr()).to.include('expected bash, zsh or fish, received "tcsh"');
  });
});

/** Shell programs that print what Tab offers after a line; zsh asks nobody but a person, so its script is only read. */
const shells: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) => `
    source <("$NODE" -- "$TOOLKIT" completion bash)
    COMP_LINE='${line}' COMP_POINT=${line.length}
    IFS=$' ' read -ra COMP_WORDS <<<"$(sed 's/=/ = /g' <<<"$COMP_LINE")"
    [[ "$COMP_LINE" == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _toolkit_completion
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (line) => `
    $NODE -- $TOOLKIT completion fish | source
    function toolkit; end
    complete -C '${line}' | string replace -r '\\t.*' ''; true`,
  zsh: () => `
    compdef() { print "$@" }
    source <("$NODE" -- "$TOOLKIT" completion zsh)
    whence -w _toolkit`,
};

describe('the completion of a shell', () => {
  const tried = async (shell: string, line: string, cwd: string): Promise<string[]> => {
    const script = shells[shell]?.(line) ?? '';
    const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, NODE: process.execPath, TOOLKIT: program };
    const { stdout } = await run(shell, ['-c', script], { cwd, env });
    return stdout.split('\n').filter((text) => text !== '');
  };

  const lines = [
    { line: 'toolkit vali', offers: { bash: ['validate'], fish: ['validate'] } },
    { line: 'toolkit list --provider=co', offers: { bash: ['core'], fish: ['--provider=core'] } },
    { line: 'toolkit mcp --transport ', offers: { bash: ['stdio', 'http'], fish: ['http', 'stdio'] } },
    { line: 'toolkit list $(touch evaluated) `touch evaluated` ', offers: { bash: [], fish: undefined } },
  ];
  for (const shell of ['bash', 'fish'] as const) {
    if (which.sync(shell, { nothrow: true }) === null) continue;
    for (const { line, offers } of lines) {
      const expected = offers[shell];
      if (expected === undefined) continue;
      it(`offers in ${shell} after "${line}" what fits, and evaluates nothing`, async () => {
        const cwd = await project();
        expect(await tried(shell, line, cwd)).to.deep.equal(expected);
        const { stdout } = await run('git', ['status', '--short', '--', 'evaluated'], { cwd });
        expect(stdout).to.equal('');
      });
    }
  }

  if (which.sync('zsh', { nothrow: true }) !== null)
    it('is a function that zsh can read', async () => {
      expect(await tried('zsh', '', path.resolve('.'))).to.deep.equal(['_toolkit toolkit', '_toolkit: function']);
    });
});
