import { chmod, link, symlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles } from '../../../kernel/index.ts';
import { findControlFiles } from '../../../plugins/sandbox-bwrap/file-tree.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const rule = (pattern: string, read: boolean) => ({ pattern, read, what: 'a test', plugin: 'test' });
const controlFiles = new ControlFiles([rule('.env', false), rule('.git', true), rule('node_modules', true), rule('conf', true)]);

const find = async (root: string, options: { readonly maxEntries?: number; readonly without?: readonly string[] } = {}) => {
  const { maxEntries = 100, without = [] } = options;
  const found = await findControlFiles([root], {
    controlFiles,
    maxEntries,
    excluded: new Set(without.map((name) => path.join(root, name))),
  });
  return Object.fromEntries(found.map(({ path: place, isSecret }) => [path.relative(root, place), isSecret ? 'secret' : 'control']));
};

describe('the walk for control files', () => {
  it('finds them at any depth, and secrets in control folders, but nothing in packages and .git', async () => {
    const root = await temporaryFolder({
      '.env': '',
      'a/b/.ENV': '',
      'a/b/plain.txt': '',
      'conf/policy.yaml': '',
      'conf/deep/.env': '',
      '.git/config': '',
      '.git/.env': '',
      'node_modules/x/.env': '',
    });
    expect(await find(root)).to.deep.equal({
      '.env': 'secret',
      'a/b/.ENV': 'secret',
      conf: 'control',
      'conf/deep/.env': 'secret',
      '.git': 'control',
      node_modules: 'control',
    });
  });

  it('finds those that rules name by a place: behind a link, with "*", and in other letters', async () => {
    const root = await temporaryFolder({
      'real/rules.yaml': '',
      'trail.jsonl.7': '',
      '\u212Aept': '',
      'a/rules.yaml': '',
      'trail.txt': '',
    });
    await symlink('real', path.join(root, 'link'));
    const rules = [rule(path.join(root, 'link/rules.yaml'), true), rule(path.join(root, 'trail.jsonl*'), true), rule('kept', true)];
    const found = await findControlFiles([root], { controlFiles: new ControlFiles(rules), maxEntries: 100, excluded: new Set() });
    expect(found.map((file) => path.relative(root, file.path)).sort()).to.deep.equal(['real/rules.yaml', 'trail.jsonl.7', '\u212Aept']);
  });

  it('finds a folder that is a control file itself', async () => {
    const root = await temporaryFolder({ 'a.txt': '' });
    const found = await findControlFiles([root], {
      controlFiles: new ControlFiles([rule(root, true)]),
      maxEntries: 9,
      excluded: new Set(),
    });
    expect(found.map((file) => file.path)).to.deep.equal([root]);
  });

  it('finds their other names: hard links', async () => {
    const root = await temporaryFolder({ '.env': 'x', 'a/other.txt': 'x' });
    await link(path.join(root, '.env'), path.join(root, 'a', 'notes.txt'));
    expect(await find(root)).to.deep.equal({ '.env': 'secret', 'a/notes.txt': 'secret' });
  });

  it('says where a link with such a name leads', async () => {
    const root = await temporaryFolder({ 'settings/production': 'x' });
    await symlink('settings/production', path.join(root, '.env'));
    const [found] = await findControlFiles([root], { controlFiles, maxEntries: 100, excluded: new Set() });
    expect(found).to.include({ path: path.join(root, '.env'), target: path.join(root, 'settings/production'), isSecret: true });
  });

  it('finds sockets', async () => {
    const root = await temporaryFolder();
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path.join(root, 'agent.sock'), resolve));
    try {
      expect(await find(root)).to.deep.equal({ 'agent.sock': 'secret' });
    } finally {
      server.close();
    }
  });

  it('takes a folder that it cannot list for a secret', async () => {
    // The superuser can list all.
    if (process.getuid?.() === 0) return;
    const root = await temporaryFolder({ 'closed/.env': '' });
    await chmod(path.join(root, 'closed'), 0o100);
    try {
      expect(await find(root)).to.deep.equal({ closed: 'secret' });
    } finally {
      await chmod(path.join(root, 'closed'), 0o700);
    }
  });

  it('refuses where there is more than it looks through, unless that is left out', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`data/${index}`, '']));
    const root = await temporaryFolder({ ...files, '.env': '' });
    const error = await rejection(find(root, { maxEntries: 10 }), 'EXECUTION_FAILED');
    expect(error.message).to.include('maxEntries').and.include('hidden');
    expect(await find(root, { maxEntries: 10, without: ['data'] })).to.deep.equal({ '.env': 'secret' });
  });
});
