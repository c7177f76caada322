import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

/** Modules of Node that reach nothing beside what they are given; of `node:net` it is `isIP`, of `node:process` `versions`, of `node:module` a package. */
const harmless: ReadonlySet<string> = new Set(['node:buffer', 'node:crypto', 'node:module', 'node:net', 'node:process', 'node:url']);

/** Packages of handlers that can open files, programs or connections. */
const reaching = /^(execa|ky|undici|pg|better-sqlite3|fast-glob|simple-git|yauzl|tar|archiver)\b/;

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const pure = toolkit.listTools().filter(({ definition }) => definition.pure === true);
await toolkit.close();

/** The files of ours that a module imports, itself included, and what they import beside. */
function importsOf(file: string, files = new Map<string, readonly string[]>()): ReadonlyMap<string, readonly string[]> {
  if (files.has(file)) return files;
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/(?:^import (?!type)[^;]*?from |^import |import\()'([^']+)'/gm)].map(([, name]) => name ?? '');
  files.set(file, [...names.filter((name) => !name.startsWith('.')), ...(/\bprocess\.\w|\bfetch\(|\bcontext\./.exec(text) ?? [])]);
  for (const name of names.filter((given) => given.startsWith('.'))) {
    const found = path.resolve(path.dirname(file), name);
    if (existsSync(found)) importsOf(found, files);
  }
  return files;
}

describe('a shipped tool that is pure', () => {
  it('is most of those that compute', () => {
    expect(pure.length).to.be.at.least(50);
  });

  for (const { name, execution, origin } of pure)
    it(`reaches nothing beside its parameters: ${name}`, () => {
      const file = path.resolve(origin.directory ?? '', String(execution['code']).replace(/#.*/, ''));
      const used = [...importsOf(file).values()].flat();
      expect(
        used.filter((one) => (one.startsWith('node:') && !harmless.has(one)) || reaching.test(one) || /^process\.|^fetch/.test(one)),
      ).to.deep.equal([]);
    });
});
