import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isCommittable } from '../../../../../../plugins/mcp/commands/setup/secrets/is-committable.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';

const run = promisify(execFile);

describe('whether git would take up a file of secrets', () => {
  const cases: { title: string; files: Readonly<Record<string, string>>; commands?: readonly (readonly string[])[]; expected: boolean }[] =
    [
      { title: 'no in a folder without a repository', files: { '.env': '' }, expected: false },
      { title: 'yes in a repository that does not ignore it', files: { '.env': '' }, commands: [['init']], expected: true },
      { title: 'yes before the file is there', files: {}, commands: [['init']], expected: true },
      { title: 'no where it is ignored', files: { '.env': '', '.gitignore': '.env\n' }, commands: [['init']], expected: false },
      {
        title: 'yes where it is ignored and committed all the same',
        files: { '.env': '', '.gitignore': '.env\n' },
        commands: [['init'], ['add', '--force', '.env']],
        expected: true,
      },
    ];
  for (const { title, files, commands = [], expected } of cases) {
    it(`is ${title}`, async () => {
      const cwd = await temporaryFolder(files);
      for (const args of commands) await run('git', args, { cwd });
      expect(await isCommittable(path.join(cwd, '.env'))).to.equal(expected);
    });
  }
});
