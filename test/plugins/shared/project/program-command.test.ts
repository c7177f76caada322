import { chmod, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { programCommand } from '../../../../plugins/shared/project/program-command.ts';
import { shellWord } from '../../../../plugins/shared/text/shell-word.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const built = '@toolkit/core/dist/plugins/toolkit/main.js';

/** A folder in which toolkit is installed somewhere, and an empty one for the PATH. */
async function machine(): Promise<{ folder: string; main: string; program: readonly string[]; PATH: string }> {
  const folder = await temporaryFolder({ [`lib/${built}`]: '#!/usr/bin/env node\n', 'bin/.keep': '', 'project/src/.keep': '' });
  const main = path.join(folder, 'lib', built);
  return { folder, main, program: [process.execPath, '--', main], PATH: path.join(folder, 'bin') };
}

/** Installs it in the project as npm does. */
async function install(folder: string, target: string): Promise<void> {
  await mkdir(path.join(folder, 'project/node_modules/.bin'), { recursive: true });
  await mkdir(path.join(folder, 'project/node_modules/@toolkit'));
  await symlink(target, path.join(folder, 'project/node_modules/@toolkit/core'));
  await symlink(`../${built}`, path.join(folder, 'project/node_modules/.bin/toolkit'));
}

describe('how a person starts the program again', () => {
  it('is toolkit where that is this program', async () => {
    const { folder, main, program, PATH } = await machine();
    await chmod(main, 0o755);
    await symlink(main, path.join(PATH, 'toolkit'));
    expect(await programCommand(program, { PATH }, folder)).to.equal('toolkit');
  });

  it('is the whole path where toolkit is another program', async () => {
    const { folder, main, program, PATH } = await machine();
    await symlink(process.execPath, path.join(PATH, 'toolkit'));
    await symlink(process.execPath, path.join(PATH, 'node'));
    expect(await programCommand(program, { PATH }, folder)).to.equal(`node -- ${main}`);
  });

  it('goes by the project where it is installed there', async () => {
    const { folder, program, PATH } = await machine();
    await install(folder, path.join(folder, 'lib/@toolkit/core'));
    expect(await programCommand(program, { PATH }, path.join(folder, 'project/src'))).to.equal('npx --no-install toolkit');
  });

  it('is the whole path where the project has another one', async () => {
    const { folder, main, program, PATH } = await machine();
    const other = await temporaryFolder({ [built]: '' });
    await install(folder, path.join(other, '@toolkit/core'));
    await symlink(process.execPath, path.join(PATH, 'node'));
    expect(await programCommand(program, { PATH }, path.join(folder, 'project'))).to.equal(`node -- ${main}`);
  });

  it('names the node that runs it where the PATH has none', async () => {
    const { folder, main, program, PATH } = await machine();
    expect(await programCommand(program, { PATH }, folder)).to.equal(`${process.execPath} -- ${main}`);
  });

  const words = [
    ['tools/a_b.yaml', 'tools/a_b.yaml'],
    ['my tools/a.yaml', "'my tools/a.yaml'"],
    ["it's", "'it'\\''s'"],
    ['$(rm)', "'$(rm)'"],
  ] as const;
  for (const [text, word] of process.platform === 'win32' ? [] : words) {
    it(`writes ${text} as ${word}`, () => expect(shellWord(text)).to.equal(word));
  }
});
