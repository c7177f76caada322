import { execFileSync } from 'node:child_process';
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedTool } from '../time/shared-tool.ts';

describe('system_which', () => {
  const find = sharedTool('system_which');
  const originalPath = process.env['PATH'];
  const originalFolder = process.cwd();
  afterEach(() => {
    process.env['PATH'] = originalPath;
    process.chdir(originalFolder);
  });

  async function which(command: string, ...folders: readonly string[]): Promise<unknown> {
    if (folders.length > 0) process.env['PATH'] = folders.join(path.delimiter);
    return find({ command });
  }

  /** A program that leaves a mark beside itself when it runs. */
  async function programs(...names: readonly string[]): Promise<string> {
    const folder = await temporaryFolder(Object.fromEntries(names.map((name) => [name, '#!/bin/sh\ntouch "$0.has-run"\n'])));
    for (const name of names) await chmod(path.join(folder, name), 0o755);
    return folder;
  }

  for (const command of ['sh', 'git', 'python3']) {
    it(`finds ${command} where the shell finds it`, async () => {
      const shown = execFileSync('sh', ['-c', 'command -v "$1"', 'sh', command], { encoding: 'utf8' }).trim();
      expect(await which(command)).to.deep.equal({ found: true, path: shown });
    });
  }

  it('says when there is none', async () => {
    expect(await which('no-such-program-anywhere')).to.deep.equal({ found: false, path: null });
  });

  it('takes the first folder of the PATH that has it, and runs nothing', async () => {
    const [first, second] = [await programs('größe 😀'), await programs('größe 😀', 'other')];
    expect(await which('größe 😀', first, second)).to.deep.equal({ found: true, path: path.join(first, 'größe 😀') });
    expect(await which('other', first, second)).to.deep.equal({ found: true, path: path.join(second, 'other') });
    for (const file of [path.join(first, 'größe 😀.has-run'), path.join(second, 'other.has-run')])
      expect(await stat(file).catch(() => 'missing'), file).to.equal('missing');
  });

  it('leaves out files that cannot be run, folders, and links to nothing', async () => {
    const folder = await temporaryFolder({ text: 'no program' });
    await chmod(path.join(folder, 'text'), 0o644);
    await mkdir(path.join(folder, 'folder'));
    await symlink('nowhere', path.join(folder, 'link'));
    const second = await programs('text', 'folder', 'link');
    for (const name of ['text', 'folder', 'link']) {
      expect(await which(name, folder), name).to.deep.equal({ found: false, path: null });
      expect(await which(name, folder, second), name).to.deep.equal({ found: true, path: path.join(second, name) });
    }
  });

  it('names a link, not where it leads', async () => {
    const folder = await programs('real');
    await symlink('real', path.join(folder, 'link'));
    expect(await which('link', folder)).to.deep.equal({ found: true, path: path.join(folder, 'link') });
  });

  it('does not look into the working directory, whatever the PATH says', async () => {
    const folder = await programs('planted');
    await mkdir(path.join(folder, 'bin'));
    process.chdir(folder);
    for (const searched of ['', '.', './', '..', path.basename(folder), `..${path.sep}${path.basename(folder)}`]) {
      expect(await which('planted', searched, '/nowhere'), searched).to.deep.equal({ found: false, path: null });
    }
    delete process.env['PATH'];
    expect(await which('planted')).to.deep.equal({ found: false, path: null });
  });

  it('understands quoted folders and ones with a slash at their end', async () => {
    const folder = await programs('tool');
    for (const searched of [`"${folder}"`, `${folder}/`, `${folder}/./`]) {
      expect(await which('tool', searched), searched).to.deep.equal({ found: true, path: path.join(folder, 'tool') });
    }
  });

  const paths = [
    '/bin/sh',
    './sh',
    '../sh',
    'bin/sh',
    '..',
    '.',
    'sh/',
    '\\sh',
    'C:sh',
    'sh\0',
    ' sh',
    'sh ',
    'sh\n',
    '/etc/shadow',
    '~/sh',
  ];
  for (const command of paths) {
    it(`refuses ${JSON.stringify(command)}, which is no name of a program`, async () => {
      const error = await rejection(which(command), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "command"').and.include('expected the name of a program');
      expect(error.details.issues).to.have.nested.property('[0].path', 'command');
    });
  }

  it('takes arguments, options and shell syntax for a part of the name', async () => {
    for (const command of ['sh -c ls', '-a', '--version', '$(touch x)', '*', 'sh;ls', '`id`', '$PATH']) {
      expect(await which(command), command).to.deep.equal({ found: false, path: null });
    }
  });

  it('refuses no name, and one that is too long', async () => {
    for (const parameters of [{}, { command: '' }, { command: 'x'.repeat(256) }])
      expect((await rejection(find(parameters), 'INVALID_PARAMETERS')).message).to.match(/command (is required|expected)/);
    expect(await which('x'.repeat(255))).to.deep.equal({ found: false, path: null });
  });
});
