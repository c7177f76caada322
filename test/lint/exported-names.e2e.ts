import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { sourceWords } from './source-words.ts';
import { type WordRules, wordProblems } from './word-rules.ts';

/** The declaration files of every entry of `exports`, `./plugins/*` included. */
async function entries(): Promise<readonly string[]> {
  const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: Readonly<Record<string, { types?: string }>> };
  const types = Object.values(exports).flatMap((entry) => entry.types ?? []);
  const plugins = await readdir('dist/plugins');
  return types
    .flatMap((file) => (file.includes('*') ? plugins.map((plugin) => file.replace('*', plugin)) : [file]))
    .filter((file) => existsSync(file));
}

/** The entries, and all declaration files of ours that they lead to, by path. */
async function declarationTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const queue = (await entries()).map((file) => path.normalize(file));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (texts.has(file)) continue;
    const text = await readFile(file, 'utf8');
    texts.set(file, text);
    for (const [, target = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)\.(?:js|ts)'/g))
      queue.push(path.join(path.dirname(file), `${target}.d.ts`));
  }
  return texts;
}

describe('the types that are exported', () => {
  it('have no name that has a plain word', async () => {
    const { names } = parse(await readFile('test/lint/plain-words.yaml', 'utf8')) as WordRules;
    const texts = await declarationTexts();
    expect(texts.size).to.be.greaterThan(100);
    const problems = [...texts].flatMap(([file, text]) =>
      wordProblems(file, sourceWords(text, file), { firstWords: { 'no such word': '' }, names }),
    );
    expect(problems).to.deep.equal([]);
  });
});
