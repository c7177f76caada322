import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { landscape, see, seeing } from './landscape.ts';

describe('a path that a tool is given', () => {
  /** `BASE` stands for the folder above the root. */
  const escapes = [
    '..',
    '../outside/secret.txt',
    'folder/../../outside/secret.txt',
    'folder/../..',
    'not-there/../../outside/secret.txt',
    './/..//outside',
    'BASE',
    'BASE/outside/secret.txt',
    'BASE/outside/new.txt',
    'BASE/root/../outside/secret.txt',
    'BASE/root-sibling/file.txt',
    '../root-sibling/file.txt',
    'BASE/roo',
    '/',
    '/etc/passwd',
    '//etc/passwd',
    '/proc/self/cwd/../outside',
    os.homedir(),
    'link-file',
    'link-folder',
    'link-folder/secret.txt',
    'link-folder/new/deep.txt',
    'inner-link/../link-folder/secret.txt',
    'link-absolute/secret.txt',
    'link-dot-dot',
    'link-dot-dot/outside/secret.txt',
    'link-to-root/etc/passwd',
    'chain-1',
    'chain-1/secret.txt',
    'chain-2/new.txt',
    'folder/up/outside/secret.txt',
    'folder/up/new.txt',
    'dangling',
    'dangling/below',
    'dangling-chain',
    'dangling-folder',
    'dangling-folder/new.txt',
    'dangling-loop',
    'loop',
    'loop/below',
    'file.txt\0',
    '../outside/secret.txt\0.txt',
    'x'.repeat(5000),
  ];
  for (const given of escapes) {
    it(`refuses ${JSON.stringify(given.slice(0, 50))} for reading and for writing, alone and in lists`, async () => {
      const base = await landscape();
      const kernel = await seeing(path.join(base, 'root'), { readRoots: ['../reading'] });
      const value = given.replace('BASE', base);
      const attempts: Record<string, unknown>[] = [
        { read: value },
        { write: value },
        { reads: ['file.txt', value] },
        { writes: [value, 'file.txt'] },
        { items: ['file.txt', value] },
        { nested: { file: value } },
        { nested: { more: [value] } },
        { nullable: value },
        { any: value },
        { any: [[value]] },
      ];
      for (const attempt of attempts) {
        const error = await rejection(kernel.execute('see', { nullable: null, ...attempt }), 'INVALID_PARAMETERS');
        expect(error.message).to.match(/^Parameter "(read|write|reads|writes|items|nested|nullable|any)[^"]*" of "see": expected a path /);
        expect(error.message.length).to.be.lessThan(600);
      }
    });
  }

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
    { given: 'inner-link', seen: 'inner-link' },
    { given: 'inner-dangling', seen: 'inner-dangling' },
    { given: '..hidden', seen: '..hidden' },
    { given: '...', seen: '...' },
    { given: 'link-folder/../file.txt', seen: 'file.txt' },
    { given: '~/file', seen: '~/file' },
    { given: 'file:///etc/passwd', seen: 'file:/etc/passwd' },
    { given: '%2e%2e/secret', seen: '%2e%2e/secret' },
    { given: '..\\..\\outside', seen: '..\\..\\outside' },
    { given: 'ä€😀 "quoted"\n', seen: 'ä€😀 "quoted"\n' },
  ];
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
