import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

describe('fs_create_temp', () => {
  it('creates a file for the owner alone, in .toolkit/tmp of the first root', async () => {
    const [first, second] = [await temporaryFolder(), await temporaryFolder()];
    const toolkit = await coreToolkit({ roots: [first, second] });
    const { path: file } = (await toolkit.execute('fs_create_temp', { prefix: 'über-', suffix: '.txt', content: 'Grüße\n' })) as {
      path: string;
    };
    expect(path.dirname(file)).to.equal(path.join(first, '.toolkit/tmp'));
    expect(path.basename(file)).to.match(/^über-[0-9a-f]{16}\.txt$/);
    expect(await readFile(file, 'utf8')).to.equal('Grüße\n');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await toolkit.execute('fs_read_file', { path: file })).to.include({ content: 'Grüße\n' });
  });

  it('creates an empty file and an empty folder', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const { path: file } = (await toolkit.execute('fs_create_temp')) as { path: string };
    const { path: directory } = (await toolkit.execute('fs_create_temp', { kind: 'directory' })) as { path: string };
    expect(await readFile(file, 'utf8')).to.equal('');
    expect(await readdir(directory)).to.deep.equal([]);
    expect((await stat(directory)).mode & 0o777).to.equal(0o700);
  });

  it('removes what it has created when the server ends, and nothing else', async () => {
    const folder = await temporaryFolder({ 'kept.txt': '', '.toolkit/certs/kept.pem': '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const created = await Promise.all(Array.from({ length: 20 }, () => toolkit.execute('fs_create_temp', { kind: 'directory' })));
    const [first, second] = created as { path: string }[];
    await writeFile(path.join(first?.path ?? '', 'x'), '');
    await symlink('../../../kept.txt', path.join(second?.path ?? '', 'link'));
    await toolkit.close();
    expect((await readdir(folder, { recursive: true })).sort()).to.deep.equal([
      '.toolkit',
      '.toolkit/certs',
      '.toolkit/certs/kept.pem',
      'kept.txt',
    ]);
  });

  it('leaves no folder behind that was not there before', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    await Promise.all(Array.from({ length: 10 }, () => toolkit.execute('fs_create_temp')));
    await toolkit.close();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('refuses names with slashes, content for a folder, and text that has no UTF-8 form', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const cases = [
      { given: { prefix: '../../' }, says: 'prefix' },
      { given: { suffix: '\\x' }, says: 'suffix' },
      { given: { suffix: 'a\0b' }, says: 'suffix' },
      { given: { prefix: 'x'.repeat(65) }, says: 'prefix' },
      { given: { kind: 'directory', content: '' }, says: 'expected no content for a directory' },
      { given: { content: 'half \uD83D' }, says: 'surrogate' },
      { given: { root: '.' }, says: 'root is not known here' },
    ];
    for (const { given, says } of cases) {
      expect((await rejection(toolkit.execute('fs_create_temp', given), 'INVALID_PARAMETERS')).message).to.include(says);
    }
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('refuses a .toolkit that is a link', async () => {
    const outside = await temporaryFolder();
    const folder = await temporaryFolder();
    await symlink(outside, path.join(folder, '.toolkit'));
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const kind of ['file', 'directory']) await rejection(toolkit.execute('fs_create_temp', { kind }), 'EXECUTION_FAILED');
    expect(await readdir(outside)).to.deep.equal([]);
  });
});
