import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

describe('fs_delete', () => {
  it('deletes a file, an empty folder, a pipe, and a link to nothing', async () => {
    const folder = await temporaryFolder({ 'ä b.txt': '', stays: '' });
    await mkdir(path.join(folder, 'empty'));
    await symlink('nothing', path.join(folder, 'dangling'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const name of ['ä b.txt', 'empty', 'pipe', 'dangling']) {
      expect(await toolkit.execute('fs_delete', { path: name })).to.deep.equal({ path: path.join(folder, name), entries: 1 });
    }
    expect(await readdir(folder)).to.deep.equal(['stays']);
  });

  it('refuses a folder that is not empty and says how many entries it holds', async () => {
    const folder = await temporaryFolder({ 'a/x': '', 'a/y': '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(toolkit.execute('fs_delete', { path: 'a' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('a folder that holds 2 entries').and.to.include('recursive to true');
    expect(await readdir(path.join(folder, 'a'))).to.deep.equal(['x', 'y']);
  });

  it('deletes a folder with everything in it, links but not what they lead to', async () => {
    const outside = await temporaryFolder({ 'kept.txt': 'eins', 'sub/kept.txt': 'zwei' });
    const folder = await temporaryFolder({ 'a/x': '', 'a/sub/.hidden/y': '', 'b/kept.txt': 'drei' });
    await symlink(path.join(outside, 'kept.txt'), path.join(folder, 'a/file'));
    await symlink(outside, path.join(folder, 'a/sub/folder'));
    await symlink('../../b', path.join(folder, 'a/sub/inside'));
    await symlink('nothing', path.join(folder, 'a/dangling'));
    const toolkit = await coreToolkit({ roots: [folder] });
    expect(await toolkit.execute('fs_delete', { path: 'a', recursive: true })).to.include({ entries: 9 });
    expect(await readdir(folder)).to.deep.equal(['b']);
    expect(await readFile(path.join(folder, 'b/kept.txt'), 'utf8')).to.equal('drei');
    expect(await readFile(path.join(outside, 'kept.txt'), 'utf8')).to.equal('eins');
    expect(await readFile(path.join(outside, 'sub/kept.txt'), 'utf8')).to.equal('zwei');
  });

  it('never deletes the first root, whatever it is called, nor a folder that holds it', async () => {
    const base = await temporaryFolder({ 'root/a/x': '' });
    const toolkit = await coreToolkit({ roots: [path.join(base, 'root'), base] });
    for (const name of ['.', 'a/..', path.join(base, 'root'), '..']) {
      const error = await rejection(toolkit.execute('fs_delete', { path: name, recursive: true }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('itself is never deleted');
    }
    expect(await readdir(path.join(base, 'root/a'))).to.deep.equal(['x']);
  });

  it('refuses what is outside of the roots, and what does not exist', async () => {
    const base = await temporaryFolder({ 'root/a': '', 'other/x': '' });
    await symlink('../other', path.join(base, 'root/link'));
    const toolkit = await coreToolkit({ roots: [path.join(base, 'root')] });
    for (const name of ['../other', 'link', 'link/x']) {
      await rejection(toolkit.execute('fs_delete', { path: name, recursive: true }), 'INVALID_PARAMETERS');
    }
    const error = await rejection(toolkit.execute('fs_delete', { path: 'nothing' }), 'NOT_FOUND');
    expect(error.message).to.include('Cannot delete').and.to.include('nothing');
    expect(await readdir(path.join(base, 'other'))).to.deep.equal(['x']);
  });

  it('says what it could not delete and how much is gone', async () => {
    const folder = await temporaryFolder({ 'a/1/x': '', 'a/2/closed/y': '' });
    await chmod(folder, 0o777);
    execFileSync('chmod', ['-R', '777', path.join(folder, 'a')]);
    await chmod(path.join(folder, 'a/2/closed'), 0o555);
    const toolkit = await coreToolkit({ roots: [folder] });
    await writeFile(path.join(folder, 'first'), '');
    await toolkit.execute('fs_delete', { path: 'first' });
    const call = (): ReturnType<typeof rejection> =>
      rejection(toolkit.execute('fs_delete', { path: 'a', recursive: true }), 'EXECUTION_FAILED');
    const error = await asNobody(call);
    expect(error.message)
      .to.include('a/2/closed/y')
      .and.to.include('permission is denied')
      .and.to.include('2 files, folders and links of it');
    expect(error.details['removed']).to.equal(2);
  });

  it('stops when it is cancelled', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'a'));
    for (let group = 0; group < 12; group++) {
      await mkdir(path.join(folder, `a/${group}`));
      for (let file = 0; file < 700; file++) writeFileSync(path.join(folder, `a/${group}/${file}`), '');
    }
    const toolkit = await coreToolkit({ roots: [folder] });
    const controller = new AbortController();
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): void => {
      seen.push(progress);
      controller.abort();
    };
    await rejection(toolkit.execute('fs_delete', { path: 'a', recursive: true }, { signal: controller.signal, onProgress }), 'ABORTED');
    expect(seen).to.deep.equal([{ progress: 5000, message: 'entries deleted' }]);
    expect((await readdir(path.join(folder, 'a'), { recursive: true })).length).to.be.greaterThan(3000);
  });

  it('needs approval when a model asks', async () => {
    const folder = await temporaryFolder({ a: '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    await rejection(toolkit.kernel.call({ tool: 'fs_delete', parameters: { path: 'a' }, origin: 'model' }), 'APPROVAL_REQUIRED');
    expect(await readdir(folder)).to.deep.equal(['a']);
  });
});
