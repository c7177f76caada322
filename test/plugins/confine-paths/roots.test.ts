import { mkdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { landscape, see, seeing } from './landscape.ts';

describe('the roots of confine-paths', () => {
  const { HOME } = process.env;
  afterEach(() => {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  });

  const readOnly = [
    'BASE/reading',
    'BASE/reading/data.txt',
    'BASE/reading/new.txt',
    '../reading/data.txt',
    'link-to-reading/data.txt',
    'link-to-reading',
  ];
  for (const place of readOnly) {
    it(`opens ${place} of a read root for reading only`, async () => {
      const base = await landscape();
      const kernel = await seeing(path.join(base, 'root'), { readRoots: ['../reading'] });
      const value = place.replace('BASE', base);
      const seen = await see(kernel, { read: value });
      expect(seen['read']).to.match(/\/reading(\/(data|new)\.txt)?$/);
      for (const attempt of [{ write: value }, { writes: [value] }, { items: [value] }]) {
        const error = await rejection(kernel.execute('see', { nullable: null, ...attempt }), 'INVALID_PARAMETERS');
        expect(error.message).to.include('(writing)').and.to.include(path.join(base, 'root'));
      }
    });
  }

  it('accepts a path in any of several roots, and starts relative ones at the first', async () => {
    const base = await landscape();
    const kernel = await seeing(base, { roots: ['root', 'outside'] });
    expect(await see(kernel, { write: 'a', read: path.join(base, 'outside/secret.txt'), reads: ['link-folder/secret.txt'] })).to.deep.equal(
      {
        write: path.join(base, 'root/a'),
        read: path.join(base, 'outside/secret.txt'),
        reads: [path.join(base, 'outside/secret.txt')],
      },
    );
  });

  it('follows a root that is a link itself', async () => {
    const base = await landscape();
    await symlink('root', path.join(base, 'project'));
    const kernel = await seeing(base, { roots: ['project'] });
    const file = path.join(base, 'root/file.txt');
    const given = ['.', 'file.txt', path.join(base, 'project/file.txt'), path.join(base, 'root/file.txt'), path.join(base, 'project')];
    expect((await see(kernel, { writes: given }))['writes']).to.deep.equal([
      path.join(base, 'root'),
      file,
      file,
      file,
      path.join(base, 'root'),
    ]);
    await rejection(kernel.execute('see', { nullable: null, read: '../outside/secret.txt' }), 'INVALID_PARAMETERS');
  });

  it('are where they were at start, also when a tool has put a link in the place of one since', async () => {
    const base = await landscape();
    const kernel = await seeing(base, { roots: ['root'], readRoots: ['root/folder', 'reading'] });
    for (const place of ['root/folder', 'reading']) {
      await rm(path.join(base, place), { recursive: true });
      await symlink('/', path.join(base, place));
      for (const value of [`${place}/etc/passwd`, place, '/etc/passwd']) {
        await rejection(kernel.execute('see', { nullable: null, read: path.resolve(base, value) }), 'INVALID_PARAMETERS');
      }
    }
  });

  const overlaps = [
    { roots: ['root'], readRoots: ['root/folder'], writable: ['file.txt'], readable: ['folder/inner.txt', 'folder', 'inner-link/new.txt'] },
    {
      roots: ['root', 'root/folder'],
      readRoots: ['.'],
      writable: ['file.txt', 'folder/inner.txt'],
      readable: ['../outside/secret.txt', '..'],
    },
    { roots: ['root', 'root/folder/inner.txt'], readRoots: ['root/folder'], writable: ['folder/inner.txt'], readable: ['folder/new.txt'] },
    { roots: ['root'], readRoots: ['root'], writable: [], readable: ['file.txt', 'folder/inner.txt', '.'] },
    { roots: ['root'], readRoots: ['root/inner-link'], writable: ['file.txt'], readable: ['folder/inner.txt'] },
  ];
  for (const { roots, readRoots, writable, readable } of overlaps) {
    it(`count from the inside out: ${roots.join(' and ')} with ${readRoots.join(' and ')} for reading`, async () => {
      const base = await landscape();
      const kernel = await seeing(base, { roots, readRoots });
      for (const value of writable) await see(kernel, { write: value, read: value });
      for (const value of readable) {
        await see(kernel, { read: value });
        await rejection(kernel.execute('see', { nullable: null, write: value }), 'INVALID_PARAMETERS');
      }
    });
  }

  it('lie inside of the working directory that is a root by itself, and are for reading only', async () => {
    const base = await landscape();
    const kernel = await seeing(base, { readRoots: ['reading'] });
    await see(kernel, { write: 'root/file.txt', read: 'reading/data.txt' });
    await rejection(kernel.execute('see', { nullable: null, write: 'reading/data.txt' }), 'INVALID_PARAMETERS');
  });

  it('are refused at start when they cannot be followed', async () => {
    const base = await landscape();
    for (const options of [{ roots: ['root/loop'] }, { readRoots: ['root/loop/below'] }, { roots: ['x'.repeat(300)] }]) {
      const error = await rejection(seeing(base, options), 'PLUGIN_INVALID');
      expect(error.message).to.include('The root "').and.to.include('confine-paths cannot be followed');
    }
  });

  it('are taken as they are written: ~ and variables mean nothing', async () => {
    const base = await landscape();
    const kernel = await seeing(base, { roots: ['~', '$HOME'] });
    expect(await see(kernel, { write: 'a' })).to.deep.equal({ write: path.join(base, '~/a') });
    await rejection(kernel.execute('see', { nullable: null, read: os.homedir() }), 'INVALID_PARAMETERS');
  });

  it('accepts a root that does not exist yet', async () => {
    const base = await temporaryFolder();
    const kernel = await seeing(base, { roots: ['later'] });
    expect(await see(kernel, { write: 'a' })).to.deep.equal({ write: path.join(base, 'later/a') });
  });

  it('takes the working directory for the root when none is set', async () => {
    const folder = await temporaryFolder();
    expect(await see(await seeing(folder), { write: 'a' })).to.deep.equal({ write: path.join(folder, 'a') });
  });

  const noRoots: { name: string; cwd: (home: string) => string; home?: (home: string) => string }[] = [
    { name: 'the file system itself', cwd: () => '/' },
    { name: 'the home folder', cwd: (home) => home },
    { name: 'the home folder under another name', cwd: (home) => `${home}-link` },
    { name: 'what the home folder is a link to', cwd: (home) => home, home: (home) => `${home}-link` },
  ];
  for (const { name, cwd, home = (own: string) => own } of noRoots) {
    it(`never takes ${name} for a root by itself`, async () => {
      const folder = path.join(await temporaryFolder(), 'home');
      await mkdir(folder);
      await symlink('home', `${folder}-link`);
      process.env['HOME'] = home(folder);
      const kernel = await seeing(cwd(folder));
      for (const attempt of [{ read: 'a' }, { write: '.' }, { reads: ['/etc/passwd'] }]) {
        const error = await rejection(kernel.execute('see', { nullable: null, ...attempt }), 'INVALID_PARAMETERS');
        expect(error.message).to.include('no directory is open to file tools').and.to.include('Set "roots"');
      }
      expect(await see(kernel, { text: 'x' })).to.deep.equal({ text: 'x' });
    });
  }

  it('opens the home folder when it is set as a root', async () => {
    const folder = await temporaryFolder();
    process.env['HOME'] = folder;
    expect(await see(await seeing(folder, { roots: ['.'] }), { write: 'a' })).to.deep.equal({ write: path.join(folder, 'a') });
  });

  it('opens nothing for writing when there are read roots only', async () => {
    const folder = await temporaryFolder();
    const kernel = await seeing(folder, { roots: [], readRoots: ['.'] });
    expect(await see(kernel, { read: 'a' })).to.deep.equal({ read: path.join(folder, 'a') });
    const error = await rejection(kernel.execute('see', { nullable: null, write: 'a' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('no directory is open to file tools here for writing');
  });
});

describe('a parameter that says path: roots', () => {
  it('is the open folders, their links resolved, whatever is its default', async () => {
    const base = await landscape();
    const parameters = { open: { type: 'array', items: { type: 'string' }, path: 'roots', fixed: true, default: ['/etc'] } };
    const kernel = await seeing(base, { roots: ['root'], readRoots: ['reading'] }, parameters);
    expect(await see(kernel, {})).to.deep.equal({ open: [path.join(base, 'root'), path.join(base, 'reading')] });
  });
});
