import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { readClientFile, writeClientFile } from '../../../../../../plugins/mcp/commands/setup/clients/client-file.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';

const now = new Date('2026-11-22T12:30:05.123Z');

describe("writing a client's file", () => {
  it('keeps a copy of what the file was, and its permissions', async () => {
    const folder = await temporaryFolder({ 'mcp.json': 'old' });
    const file = path.join(folder, 'mcp.json');
    await chmod(file, 0o640);
    const backup = await writeClientFile(await readClientFile(file), 'new', { backupLabel: { at: now, name: 'toolkit' } });
    expect(backup).to.equal(`${file}.20261122T123005Z.toolkit.bak`);
    expect(await readFile(file, 'utf8')).to.equal('new');
    expect(await readFile(`${backup}`, 'utf8')).to.equal('old');
    expect((await stat(file)).mode & 0o777).to.equal(0o640);
    expect(await readdir(folder)).to.have.members(['mcp.json', path.basename(`${backup}`)]);
  });

  it('leaves it closed, and the copy, when it was closed after it was read', async () => {
    const folder = await temporaryFolder({ 'mcp.json': 'old' });
    const file = path.join(folder, 'mcp.json');
    const read = await readClientFile(file);
    await chmod(file, 0o600);
    const backup = await writeClientFile(read, 'new', { backupLabel: { at: now, name: 'toolkit' } });
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect((await stat(`${backup}`)).mode & 0o777).to.equal(0o600);
  });

  it('does not fail at, or remove, what a run that was killed has left', async () => {
    const files = { 'mcp.json': 'old', [`.mcp.json.${process.pid}.tmp`]: 'of another' };
    const folder = await temporaryFolder(files);
    const file = path.join(folder, 'mcp.json');
    await writeClientFile(await readClientFile(file), 'new', { backupLabel: { at: now, name: 'toolkit' } });
    expect(await readFile(path.join(folder, `.mcp.json.${process.pid}.tmp`), 'utf8')).to.equal('of another');
    expect(await readFile(file, 'utf8')).to.equal('new');
  });

  it('never writes over an older copy', async () => {
    const folder = await temporaryFolder({ 'mcp.json': 'old', 'mcp.json.20261122T123005Z.toolkit.bak': 'older' });
    const file = path.join(folder, 'mcp.json');
    expect(await writeClientFile(await readClientFile(file), 'new', { backupLabel: { at: now, name: 'toolkit' } })).to.equal(
      `${file}.20261122T123005Z-2.toolkit.bak`,
    );
    expect(await readFile(`${file}.20261122T123005Z.toolkit.bak`, 'utf8')).to.equal('older');
  });

  it('makes a file that is not there, for its owner alone and without a copy', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'mcp.json');
    expect(await writeClientFile(await readClientFile(file), 'new', { backupLabel: { at: now, name: 'toolkit' } })).to.equal(undefined);
    expect(await readFile(file, 'utf8')).to.equal('new');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('writes through a symbolic link to where it leads', async () => {
    const folder = await temporaryFolder({ 'dotfiles/mcp.json': 'old' });
    const link = path.join(folder, 'mcp.json');
    await symlink(path.join(folder, 'dotfiles/mcp.json'), link);
    const read = await readClientFile(link);
    expect(read.file).to.equal(path.join(folder, 'dotfiles/mcp.json'));
    await writeClientFile(read, 'new', { backupLabel: { at: now, name: 'toolkit' } });
    expect(await readFile(link, 'utf8')).to.equal('new');
    expect(await readdir(folder)).to.have.members(['dotfiles', 'mcp.json']);
  });

  it('leaves a file alone that another program has changed since it was read', async () => {
    const folder = await temporaryFolder({ 'mcp.json': 'old' });
    const file = path.join(folder, 'mcp.json');
    const read = await readClientFile(file);
    await writeFile(file, 'of another');
    const error = await rejection(writeClientFile(read, 'new', { backupLabel: { at: now, name: 'toolkit' } }), 'CONFIG_INVALID');
    expect(error.message).to.include('was changed by another program in the meantime');
    expect(await readFile(file, 'utf8')).to.equal('of another');
    expect(await readdir(folder)).to.deep.equal(['mcp.json']);
  });

  const bad: { title: string; make: (folder: string) => Promise<unknown>; says: string }[] = [
    { title: 'a folder', make: (folder) => mkdir(path.join(folder, 'mcp.json')), says: 'is a folder' },
    { title: 'a link that leads nowhere', make: (folder) => symlink('nowhere', path.join(folder, 'mcp.json')), says: 'leads nowhere' },
    { title: 'a link to itself', make: (folder) => symlink('mcp.json', path.join(folder, 'mcp.json')), says: 'cannot be changed (ELOOP)' },
    {
      title: 'bytes that are no text',
      make: (folder) => writeFile(path.join(folder, 'mcp.json'), Buffer.from([0x7b, 0xff, 0x7d])),
      says: 'is not UTF-8 text',
    },
  ];
  for (const { title, make, says } of bad) {
    it(`refuses ${title}`, async () => {
      const folder = await temporaryFolder();
      await make(folder);
      const error = await rejection(readClientFile(path.join(folder, 'mcp.json')), 'CONFIG_INVALID');
      expect(error.message).to.include(says).and.to.include('It is left as it is.');
    });
  }

  it('refuses a file whose folder does not exist', async () => {
    const error = await rejection(readClientFile(path.join(await temporaryFolder(), 'client/mcp.json')), 'CONFIG_INVALID');
    expect(error.message).to.include('its folder does not exist. Start the client once');
  });

  it('refuses a file in place of the folder', async () => {
    const folder = await temporaryFolder({ client: '' });
    const error = await rejection(readClientFile(path.join(folder, 'client/mcp.json')), 'CONFIG_INVALID');
    expect(error.message).to.include('cannot be changed (ENOTDIR)');
  });

  it('refuses a file without permission', async () => {
    const folder = await temporaryFolder({ 'mcp.json': '{}' });
    const file = path.join(folder, 'mcp.json');
    await chmod(folder, 0o755);
    await chmod(file, 0o400);
    // The administrator may read everything.
    const isAdministrator = process.geteuid?.() === 0;
    if (isAdministrator) process.seteuid?.(65_534);
    const error = await rejection(readClientFile(file), 'CONFIG_INVALID').finally(() => isAdministrator && process.seteuid?.(0));
    expect(error.message).to.include('cannot be changed (EACCES)');
  });
});
