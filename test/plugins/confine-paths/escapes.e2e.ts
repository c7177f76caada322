import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../support/rejection.ts';
import { landscape, see, seeing } from './landscape.ts';

describe('a path that leaves the roots', () => {
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
    'dangling-through',
    'dangling-through-folder/new.txt',
    'dangling-through-nothing',
    'dangling-back',
    'dangling-circle',
    'dangling-absolute',
    '../root-sibling/back',
    'folder/deep',
    'folder/deep/new.txt',
    'proc-root',
    'proc-root/etc/passwd',
    'proc-file',
    'proc-descriptor',
    'device-null',
    'device-input',
    '/proc/self/root/etc/passwd',
    '/proc/self/environ',
    '/proc/self/fd/0',
    '/dev/stdin',
    '/dev/fd/0',
    '/dev/null',
    '///etc/passwd',
    '/./etc/passwd',
    '/../etc/passwd',
    'BASE/ROOT/file.txt',
    'BASE/root /file.txt',
    'BASE/root./file.txt',
    'BASE/root\\file.txt',
    'BASE/%72oot/file.txt',
    '..//..//..//..//..//..//..//..//etc/passwd',
    './.././outside/secret.txt',
    'folder//..//../outside/secret.txt',
    '.../../../outside/secret.txt',
    'file.txt/../../outside/secret.txt',
    '%2e%2e/../../outside/secret.txt',
    '\0',
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

  it('is refused with the reason when it has a null byte or leads in a circle', async () => {
    const kernel = await seeing(path.join(await landscape(), 'root'));
    for (const [read, reason] of [
      ['file.txt\0', 'without null bytes'],
      ['loop', 'ELOOP'],
      ['dangling-circle', 'ELOOP'],
    ] as const) {
      expect((await rejection(kernel.execute('see', { nullable: null, read }), 'INVALID_PARAMETERS')).message).to.include(reason);
    }
  });

  it('is refused as the default of a parameter too, which no caller has written', async () => {
    const base = await landscape();
    const parameters = (byDefault: unknown) => ({ read: { type: 'string', path: 'read', default: byDefault } });
    for (const byDefault of ['../outside/secret.txt', '/etc/passwd', 'link-file']) {
      const kernel = await seeing(path.join(base, 'root'), {}, parameters(byDefault));
      await rejection(kernel.execute('see'), 'INVALID_PARAMETERS');
      expect(await see(kernel, { read: 'file.txt' })).to.deep.equal({ read: path.join(base, 'root/file.txt') });
    }
  });

  for (const key of ['__proto__', 'constructor', 'a.b', '']) {
    it(`is refused under the key ${JSON.stringify(key)} as well`, async () => {
      const base = await landscape();
      const parameters = { any: { type: 'object', additionalProperties: { type: 'string', path: 'read' } } };
      const kernel = await seeing(path.join(base, 'root'), {}, parameters);
      const given = (value: string): Record<string, unknown> => ({ any: Object.fromEntries([[key, value]]) });
      await rejection(kernel.execute('see', given('../outside/secret.txt')), 'INVALID_PARAMETERS');
      const seen = (await see(kernel, given('file.txt')))['any'] as Record<string, unknown>;
      expect(Object.entries(seen)).to.deep.equal([[key, path.join(base, 'root/file.txt')]]);
    });
  }

  it('costs a few questions to the file system, however many of its parts do not exist', async () => {
    const base = await landscape();
    const kernel = await seeing(path.join(base, 'root'));
    const spies = [sinon.spy(fs, 'realpath'), sinon.spy(fs, 'readlink')];
    syncBuiltinESMExports();
    await see(kernel, { read: 'x/'.repeat(1900) });
    await rejection(kernel.execute('see', { nullable: null, read: `/${'x/'.repeat(1900)}` }), 'INVALID_PARAMETERS');
    expect(spies[0]?.callCount).to.be.within(1, 40);
    expect(spies[1]?.callCount).to.be.within(1, 40);
  });

  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });
});
