import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { pythonArchive } from './python-archive.ts';

describe('archive_list', () => {
  const shared = sharedToolkit();
  const list = async (script: string): Promise<unknown> => {
    const archive = pythonArchive(await temporaryFolder(), 'archive', script);
    return shared.toolkit.execute('archive_list', { path: archive });
  };

  it('shows what a zip file says of its entries, hostile ones too', async () => {
    const script = [
      'with zipfile.ZipFile(target, "w") as z:',
      '  z.writestr(entry("Grüße.txt", 0o644), "x" * 1000)',
      '  z.writestr(entry("../evil", 0o120777), "/etc/passwd")',
      '  z.writestr(entry("dir/", 0o040755), "")',
      'data = bytearray(open(target, "rb").read())',
      'data[data.index(b"PK\\x01\\x02") + 8] |= 1',
      'open(target, "wb").write(data)',
    ];
    const modified = { modified_at: new Date(2024, 1, 29, 12, 34, 56).toISOString() };
    const output = (await list(script.join('\n'))) as { entries: { compressed_size: number }[] };
    expect(output).to.deep.equal({
      format: 'zip',
      entries: [
        { path: 'Grüße.txt', type: 'file', size: 1000, compressed_size: output.entries[0]?.compressed_size, encrypted: true, ...modified },
        { path: '../evil', type: 'link', size: 11, compressed_size: 13, ...modified },
        { path: 'dir/', type: 'folder', size: 0, compressed_size: 2, ...modified },
      ],
      total: 3,
      total_bytes: 1011,
      truncated: false,
    });
    expect(output.entries[0]?.compressed_size).to.be.below(100);
  });

  for (const format of ['tar', 'tar.gz'] as const) {
    it(`shows what a ${format} archive says of its entries, hostile ones too`, async () => {
      const script = [
        `with tarfile.open(target, "${format === 'tar' ? 'w' : 'w:gz'}") as t:`,
        '  add(t, "../Grüße.txt", b"x" * 1000)',
        '  t.addfile(member("link", tarfile.SYMTYPE, "/etc/passwd"))',
        '  t.addfile(member("hard", tarfile.LNKTYPE, "../Grüße.txt"))',
        '  t.addfile(member("null", tarfile.CHRTYPE))',
        '  t.addfile(member("dir", tarfile.DIRTYPE))',
      ];
      const modified = { modified_at: '2024-02-29T12:34:56.000Z' };
      expect(await list(script.join('\n'))).to.deep.equal({
        format,
        entries: [
          { path: '../Grüße.txt', type: 'file', size: 1000, ...modified },
          { path: 'link', type: 'link', size: 0, target: '/etc/passwd', ...modified },
          { path: 'hard', type: 'hardlink', size: 0, target: '../Grüße.txt', ...modified },
          { path: 'null', type: 'other', size: 0, ...modified },
          { path: 'dir/', type: 'folder', size: 0, ...modified },
        ],
        total: 5,
        total_bytes: 1000,
        truncated: false,
      });
    });
  }

  it('lists 10,000 entries and counts the others', async () => {
    const output = (await list('with zipfile.ZipFile(target, "w") as z:\n  for i in range(10001): z.writestr(str(i), "xy")')) as {
      entries: unknown[];
    };
    expect(output).to.include({ total: 10_001, total_bytes: 20_002, truncated: true });
    expect(output.entries).to.have.length(10_000);
  });

  it('shows empty archives', async () => {
    const nothing = { entries: [], total: 0, total_bytes: 0, truncated: false };
    expect(await list('zipfile.ZipFile(target, "w").close()')).to.deep.equal({ format: 'zip', ...nothing });
    expect(await list('tarfile.open(target, "w").close()')).to.deep.equal({ format: 'tar', ...nothing });
  });

  it('refuses what is no archive, is cut off, or does not exist', async () => {
    const cases = [
      { script: 'open(target, "w").write("some text that is no archive at all\\n" * 100)', says: 'neither the format tar' },
      { script: 'open(target, "w")', says: 'neither the format tar' },
      { script: 'open(target, "wb").write(b"BZh91AY")', says: 'in the format bzip2' },
      { script: 'with tarfile.open(target, "w") as t: add(t, "a", b"x" * 5000)\nos.truncate(target, 3000)', says: 'it is cut off' },
      {
        script: 'with zipfile.ZipFile(target, "w") as z: z.writestr("a", "x" * 5000)\nos.truncate(target, 3000)',
        says: 'End of central directory',
      },
    ];
    for (const { script, says } of cases) {
      expect((await rejection(list(script), 'EXECUTION_FAILED')).message)
        .to.include('Cannot list')
        .and.to.include(says);
    }
    await rejection(shared.toolkit.execute('archive_list', { path: path.join(await temporaryFolder(), 'nothing') }), 'NOT_FOUND');
  });
});
