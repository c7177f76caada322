import { link } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { landscape, see, seeing } from './landscape.ts';

describe('a path inside the roots', () => {
  /** `BASE` stands for the folder above the root. */
  const allowed: { given: string; seen: string }[] = [
    { given: '.', seen: '' },
    { given: '', seen: '' },
    { given: 'folder/..', seen: '' },
    { given: 'BASE/root', seen: '' },
    { given: 'BASE/root/', seen: '' },
    { given: 'file.txt', seen: 'file.txt' },
    { given: './folder/../file.txt', seen: 'file.txt' },
    { given: '../root/file.txt', seen: 'file.txt' },
    { given: 'BASE/root/folder/inner.txt', seen: 'folder/inner.txt' },
    { given: 'new.txt', seen: 'new.txt' },
    { given: 'new/deep/file.txt', seen: 'new/deep/file.txt' },
    { given: 'file.txt/below', seen: 'file.txt/below' },
    { given: 'inner-link/inner.txt', seen: 'folder/inner.txt' },
    { given: 'inner-link/new.txt', seen: 'folder/new.txt' },
    { given: 'inner-link', seen: 'folder' },
    { given: 'absolute-inner/inner.txt', seen: 'folder/inner.txt' },
    { given: 'BASE/root/absolute-inner', seen: 'folder' },
    { given: '..hidden', seen: 'file.txt' },
    { given: '...', seen: '...' },
    { given: 'link-folder/../file.txt', seen: 'file.txt' },
    { given: '~', seen: '~' },
    { given: '~/file', seen: '~/file' },
    { given: '~root/file', seen: '~root/file' },
    { given: '$HOME/file', seen: '$HOME/file' },
    { given: '`id`/$(id)', seen: '`id`/$(id)' },
    { given: 'file:///etc/passwd', seen: 'file:/etc/passwd' },
    { given: '%2e%2e/secret', seen: '%2e%2e/secret' },
    { given: '..%2foutside', seen: '..%2foutside' },
    { given: '..%c0%afoutside', seen: '..%c0%afoutside' },
    { given: '%252e%252e/outside', seen: '%252e%252e/outside' },
    { given: '\u2025/outside', seen: '\u2025/outside' },
    { given: '\uff0e\uff0e/outside', seen: '\uff0e\uff0e/outside' },
    { given: '..\u2215outside', seen: '..\u2215outside' },
    { given: '.. /outside', seen: '.. /outside' },
    { given: ' ../outside', seen: ' ../outside' },
    { given: '....//outside', seen: '..../outside' },
    { given: '..;/outside', seen: '..;/outside' },
    { given: '..\\..\\outside', seen: '..\\..\\outside' },
    { given: '\\\\server\\share\\file', seen: '\\\\server\\share\\file' },
    { given: 'C:\\Windows', seen: 'C:\\Windows' },
    { given: 'C:/Windows', seen: 'C:/Windows' },
    { given: '-rf', seen: '-rf' },
    { given: '--output=/etc/passwd', seen: '--output=/etc/passwd' },
    { given: '@file', seen: '@file' },
    { given: '*', seen: '*' },
    { given: 'ä€😀 "quoted"\n', seen: 'ä€😀 "quoted"\n' },
  ];
  it('hands over a link itself where the parameter says follow: false, and resolves those on the way', async () => {
    const base = await landscape();
    const kernel = await seeing(path.join(base, 'root'));
    const places = [
      ['inner-link', 'inner-link'],
      ['inner-dangling', 'inner-dangling'],
      ['inner-link/inner.txt', 'folder/inner.txt'],
      ['file.txt', 'file.txt'],
      ['new/deep', 'new/deep'],
    ];
    for (const [given, seen = ''] of places) {
      const real = path.join(base, 'root', seen);
      expect(await see(kernel, { link: given, links: [given] })).to.deep.equal({ link: real, links: [real] });
    }
    for (const given of ['link-file', 'link-folder/secret.txt', 'dangling', '..']) {
      await rejection(see(kernel, { link: given }), 'INVALID_PARAMETERS');
      await rejection(see(kernel, { links: [given] }), 'INVALID_PARAMETERS');
    }
  });

  for (const { given, seen } of allowed) {
    it(`hands ${JSON.stringify(given)} to the tool as the absolute path of ${seen === '' ? 'the root' : seen}`, async () => {
      const base = await landscape();
      const root = path.join(base, 'root');
      const kernel = await seeing(root);
      const value = given.replace('BASE', base);
      const place = path.join(root, seen);
      expect(await see(kernel, { read: value, write: value })).to.deep.equal({ read: place, write: place });
    });
  }

  it('hands a link to nothing over as the link, for writing, and as where it leads, for reading', async () => {
    const base = await landscape();
    const root = path.join(base, 'root');
    expect(await see(await seeing(root), { read: 'inner-dangling', write: 'inner-dangling' })).to.deep.equal({
      read: path.join(root, 'folder/new.txt'),
      write: path.join(root, 'inner-dangling'),
    });
  });

  it('hands a hard link over: it is the file itself, and nobody can tell where else it has names', async () => {
    const base = await landscape();
    const root = path.join(base, 'root');
    await link(path.join(base, 'outside/secret.txt'), path.join(root, 'hard-link'));
    expect(await see(await seeing(root), { read: 'hard-link' })).to.deep.equal({ read: path.join(root, 'hard-link') });
  });

  it('confines every path of a list and of a nested object, and leaves everything else alone', async () => {
    const root = await temporaryFolder();
    const kernel = await seeing(root);
    const at = (name: string): string => path.join(root, name);
    const given = {
      reads: ['a', 'b'],
      writes: [],
      items: ['c'],
      nested: { file: 'd', text: '../e', more: ['f'] },
      any: ['g', ['h']],
      text: '../../i',
      nullable: null,
    };
    expect(await see(kernel, given)).to.deep.equal({
      reads: [at('a'), at('b')],
      writes: [],
      items: [at('c')],
      nested: { file: at('d'), text: '../e', more: [at('f')] },
      any: [at('g'), [at('h')]],
      text: '../../i',
      nullable: null,
    });
  });

  for (const value of [7, true, { path: 'file.txt' }]) {
    it(`refuses ${JSON.stringify(value)} where a path of any type is declared`, async () => {
      const kernel = await seeing(await temporaryFolder());
      const error = await rejection(kernel.execute('see', { nullable: null, any: value }), 'INVALID_PARAMETERS');
      expect(error.details.issues).to.deep.equal([{ path: 'any', message: 'expected a path as a string' }]);
    });
  }

  it('shows at most 200 characters of the path', async () => {
    const kernel = await seeing(await temporaryFolder());
    const error = await rejection(kernel.execute('see', { nullable: null, read: `/${'x/'.repeat(1000)}` }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('…"').and.not.to.include('x/'.repeat(101));
  });
});
