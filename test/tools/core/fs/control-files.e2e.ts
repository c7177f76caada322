import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { readTree } from './trees.ts';

const { coreToolkit } = coreGroup('fs', 'archive');

/** Files of a project, in a folder of its own. */
const project = {
  'p/a.ts': 'alt\n',
  'p/.env': 'TOKEN=alt\n',
  'p/.env.example': 'TOKEN=\n',
  'p/.git/config': 'alt\n',
  'p/sub/node_modules/m/index.js': 'alt\n',
};

async function open(files: Readonly<Record<string, string>> = project): Promise<{ readonly folder: string; readonly toolkit: Toolkit }> {
  const folder = await temporaryFolder(files);
  return { folder, toolkit: await coreToolkit({ roots: [folder], cwd: folder }) };
}

const listed = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

describe('file tools and control files in a folder', () => {
  const copies = [
    { exclude: ['.env', 'node_modules'], left: ['.env.example', 'a.ts', 'sub'] },
    { exclude: ['.env*', '/.git', 'sub/node_modules/'], left: ['a.ts', 'sub'] },
    { exclude: ['/.env', '.git', 'sub'], left: ['.env.example', 'a.ts'] },
    { exclude: ['**/.env', '**/.git', 's*'], left: ['.env.example', 'a.ts'] },
  ];
  for (const { exclude, left } of copies)
    it(`fs_copy leaves out ${exclude.join(', ')}`, async () => {
      const { folder, toolkit } = await open();
      await toolkit.execute('fs_copy', { source: 'p', destination: 'q', recursive: true, exclude });
      expect(await listed(path.join(folder, 'q'))).to.deep.equal(left);
    });

  it('fs_copy names them, and exclude as the way out, and writes nothing', async () => {
    const { folder, toolkit } = await open();
    const error = await rejection(
      toolkit.execute('fs_copy', { source: 'p', destination: 'q', recursive: true, exclude: ['node_modules'] }),
      'POLICY_DENIED',
    );
    expect(error.message).to.equal(
      `Nothing was copied: it would touch control files, which tools do not read: "${folder}/p/.env" (secrets, named by confine-paths). Leave them out with exclude, such as [".env"]. If they are needed, tell the person you work for: the operator does it by hand, or lists them in "allowControlFiles" of confine-paths.`,
    );
    expect(await readTree(folder)).to.deep.equal(project);
  });

  it('fs_copy takes a folder out of a folder of packages', async () => {
    const { folder, toolkit } = await open();
    await toolkit.execute('fs_copy', { source: 'p/sub/node_modules/m', destination: 'm', recursive: true });
    expect(await readFile(path.join(folder, 'm/index.js'), 'utf8')).to.equal('alt\n');
  });

  it('fs_copy refuses to leave out what lies elsewhere', async () => {
    const { toolkit } = await open();
    const parameters = { source: 'p', destination: 'q', recursive: true, exclude: ['a', '../x'] };
    expect((await rejection(toolkit.execute('fs_copy', parameters), 'INVALID_PARAMETERS')).message).to.include('exclude[1]');
  });

  for (const [tool, parameters] of [
    ['fs_delete', { path: 'p', recursive: true }],
    ['fs_move', { source: 'p', destination: 'q' }],
  ] as const)
    it(`${tool} names those in the folder, and changes nothing`, async () => {
      const { folder, toolkit } = await open();
      const { message, details } = await rejection(toolkit.execute(tool, parameters), 'POLICY_DENIED');
      expect(message).to.match(/\/p\/\.env" .*\/p\/\.git" .*\/p\/sub\/node_modules" .*Work on what lies beside them/);
      expect(details['controlFiles']).to.equal(3);
      expect(await readTree(folder)).to.deep.equal(project);
    });

  it('fs_delete and fs_move take a folder without any', async () => {
    const { folder, toolkit } = await open({ 'p/.env.example': '', 'p/.gitignore': '', 'p/sub/a': '', 'q/b': '' });
    await toolkit.execute('fs_move', { source: 'p', destination: 'r/p' });
    await toolkit.execute('fs_delete', { path: 'q', recursive: true });
    expect(await listed(folder)).to.deep.equal(['r', 'r/p', 'r/p/.env.example', 'r/p/.gitignore', 'r/p/sub', 'r/p/sub/a']);
  });

  it('fs_search reads no secrets', async () => {
    const { toolkit } = await open();
    const places = async (glob: string): Promise<string[]> => {
      const { matches } = (await toolkit.execute('fs_search', { pattern: 'alt|TOKEN', glob })) as { matches: { path: string }[] };
      return matches.map((match) => match.path);
    };
    expect(await places('*')).to.deep.equal(['p/.env.example', 'p/a.ts']);
    expect(await places('.env*')).to.deep.equal(['p/.env.example']);
    expect(await places('p/.git/**')).to.deep.equal(['p/.git/config']);
  });

  it('fs_replace_in_files leaves them as they are, and says so where they would change or may not be read', async () => {
    const { folder, toolkit } = await open({ ...project, 'policy.yaml': 'rules: [] # alt\n', 'toolkit.config.ts': 'neu\n' });
    const parameters = { pattern: 'alt', replacement: 'neu', glob: '{*,p/*,p/.git/*}', dry_run: false };
    const output = (await toolkit.execute('fs_replace_in_files', parameters)) as {
      files: unknown;
      skipped: { path: string; reason: string }[];
    };
    expect(output.files).to.deep.equal([{ path: 'p/a.ts', replacements: 1 }]);
    expect(output.skipped.map((file) => file.path)).to.deep.equal(['p/.env', 'p/.git/config', 'policy.yaml']);
    for (const { reason } of output.skipped) expect(reason).to.include('is a control file');
    expect(await readTree(folder)).to.deep.equal({
      ...project,
      'p/a.ts': 'neu\n',
      'policy.yaml': 'rules: [] # alt\n',
      'toolkit.config.ts': 'neu\n',
    });
  });

  it('fs_apply_patch tells nothing of a file with secrets', async () => {
    const { toolkit } = await open();
    const patch = '--- a/p/.env\n+++ b/p/.env\n@@ -1 +1 @@\n-TOKEN=geraten\n+TOKEN=x\n';
    const { message } = await rejection(toolkit.execute('fs_apply_patch', { patch }), 'POLICY_DENIED');
    expect(message).to.include('p/.env').and.not.to.include('TOKEN');
  });

  it('fs_create_temp makes files that the other tools take', async () => {
    const { toolkit } = await open();
    const { path: file } = (await toolkit.execute('fs_create_temp', { content: 'eins' })) as { path: string };
    await toolkit.execute('fs_append_file', { path: file, content: ' zwei' });
    expect(await toolkit.execute('fs_read_file', { path: file })).to.include({ content: 'eins zwei' });
    await toolkit.execute('fs_delete', { path: file });
  });

  for (const [tool, destination] of [
    ['archive_zip_create', 'p.zip'],
    ['archive_tar_create', 'p.tar.gz'],
  ] as const)
    it(`${tool} packs packages, but neither secrets nor what is git's`, async () => {
      const { folder, toolkit } = await open();
      const { message } = await rejection(toolkit.execute(tool, { paths: ['p'], destination }), 'POLICY_DENIED');
      expect(message).to.match(/^Nothing was packed: .* tools do not read: "[^"]+\/p\/\.env" \(secrets.*exclude, such as \["\.env"\]/);
      expect(await readdir(folder)).to.deep.equal(['p']);
      const packed = await toolkit.execute(tool, { paths: ['p'], destination, exclude: ['.env', 'm'] });
      expect(packed).to.deep.include({ left_out: ['p/.git'] });
      const { entries } = (await toolkit.execute('archive_list', { path: destination })) as { entries: { path: string; type: string }[] };
      const files = entries.filter(({ type }) => type === 'file').map((entry) => entry.path);
      expect(files.sort()).to.deep.equal(['p/.env.example', 'p/a.ts']);
      const one = { paths: ['p/a.ts'], destination, overwrite: true, exclude: ['a.ts'] };
      expect(await toolkit.execute(tool, one)).to.include({ entries: 1 });
    });
});
