import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { oddNames } from './names.ts';
import { call } from './person.ts';
import { on, Repository } from './repository.ts';

interface Line {
  readonly line: number;
  readonly hash: string;
  readonly author: string;
  readonly date: string | null;
  readonly text: string;
}

async function blame(repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<readonly Line[]> {
  return (await call<{ lines: readonly Line[] }>('git_blame', repository, parameters)).lines;
}

/** A poem of four lines, by two people, in two commits. */
async function poem(): Promise<Repository> {
  const repository = await Repository.create();
  await repository.commit('One', { poem: 'one\ntwo\nthree\n' }, on('2024-01-10T10:00:00+02:00'));
  await repository.commit(
    'Two',
    { poem: 'one\nzwei ü\nthree\nfour\n' },
    { ...on('2024-02-10T10:00:00-03:30'), GIT_AUTHOR_NAME: 'Ünal "x"' },
  );
  return repository;
}

/** Returns the lines as plain git prints them, one at a time, in its format for people. */
async function asGitPrints(repository: Repository, revision: string, lines: readonly number[]): Promise<readonly Line[]> {
  const line = async (number: number): Promise<Line> => {
    const printed = await repository.git('blame', '-l', '--root', '--date=iso-strict', `-L${number},${number}`, revision, '--', 'poem');
    const [, hash = '', author = '', date = '', text = ''] = /^(\w+) \((.*?) +(\d{4}-\S+) +\d+\) (.*)$/.exec(printed) ?? [];
    return { line: number, hash, author, date, text };
  };
  return Promise.all(lines.map(line));
}

describe('git_blame', () => {
  const ranges: { name: string; parameters: Record<string, unknown>; lines: number[] }[] = [
    { name: 'every line', parameters: {}, lines: [1, 2, 3, 4] },
    { name: 'a range', parameters: { start: 2, end: 3 }, lines: [2, 3] },
    { name: 'one line', parameters: { start: 4, end: 4 }, lines: [4] },
    { name: 'the lines from one on', parameters: { start: 3 }, lines: [3, 4] },
    { name: 'the lines up to one', parameters: { end: 2 }, lines: [1, 2] },
    { name: 'a range that ends behind the file', parameters: { start: 3, end: 99 }, lines: [3, 4] },
    { name: 'an earlier state', parameters: { revision: 'HEAD~1' }, lines: [1, 2, 3] },
  ];
  for (const { name, parameters, lines } of ranges) {
    it(`shows ${name} as plain git does`, async () => {
      const repository = await poem();
      const expected = await asGitPrints(repository, String(parameters['revision'] ?? 'HEAD'), lines);
      expect(await blame(repository, { path: 'poem', ...parameters })).to.deep.equal(expected);
    });
  }

  it('looks at what is committed, not at the working tree', async () => {
    const repository = await poem();
    await repository.write({ poem: 'new\n' });
    expect((await blame(repository, { path: 'poem' })).map(({ text }) => text)).to.deep.equal(['one', 'zwei ü', 'three', 'four']);
  });

  it('gives no lines for an empty file', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { empty: '' });
    expect(await blame(repository, { path: 'empty' })).to.deep.equal([]);
  });

  it('keeps the text of a line as it is, also where it looks like the output of git', async () => {
    const repository = await Repository.create();
    const texts = [`${'1'.repeat(40)} 1 1 1`, '\tauthor x', 'author-time 0', 'back\r', '', 'end without a line feed'];
    await repository.commit('One', { file: texts.join('\n') });
    expect((await blame(repository, { path: 'file' })).map(({ text }) => text)).to.deep.equal(texts);
  });

  it('does not fail over text that is not UTF-8', async () => {
    const repository = await Repository.create();
    await writeFile(path.join(repository.folder, 'file'), Buffer.from('ü\n', 'latin1'));
    await repository.commit('One');
    expect((await blame(repository, { path: 'file' }))[0]?.text).to.equal('\ufffd');
  });

  it('finds the lines of files with odd names, also where they were renamed', async () => {
    const repository = await Repository.create();
    const hash = await repository.commit('One', Object.fromEntries(oddNames.map((name) => [name, `${name}\n`])));
    for (const name of oddNames) await rename(path.join(repository.folder, name), path.join(repository.folder, `new${name}`));
    await repository.commit('Two');
    for (const name of oddNames) expect((await blame(repository, { path: `new${name}` }))[0], name).to.include({ hash, line: 1 });
  });

  const refused: { name: string; parameters: Record<string, unknown>; code: 'INVALID_PARAMETERS' | 'NOT_FOUND'; parameter: string }[] = [
    { name: 'a file that does not exist', parameters: { path: 'nowhere' }, code: 'NOT_FOUND', parameter: 'path' },
    { name: 'a folder', parameters: { path: '.' }, code: 'NOT_FOUND', parameter: 'path' },
    { name: 'a file outside', parameters: { path: '../x' }, code: 'INVALID_PARAMETERS', parameter: 'path' },
    {
      name: 'a range that ends before it starts',
      parameters: { path: 'poem', start: 3, end: 2 },
      code: 'INVALID_PARAMETERS',
      parameter: 'end',
    },
    { name: 'a range behind the file', parameters: { path: 'poem', start: 5 }, code: 'INVALID_PARAMETERS', parameter: 'start' },
    {
      name: 'a revision that does not exist',
      parameters: { path: 'poem', revision: 'no' },
      code: 'INVALID_PARAMETERS',
      parameter: 'revision',
    },
    {
      name: 'an option as the revision',
      parameters: { path: 'poem', revision: '--contents=/etc/passwd' },
      code: 'INVALID_PARAMETERS',
      parameter: 'revision',
    },
    { name: 'line zero', parameters: { path: 'poem', start: 0 }, code: 'INVALID_PARAMETERS', parameter: 'start' },
  ];
  for (const { name, parameters, code, parameter } of refused) {
    it(`refuses ${name}`, async () => {
      const error = await rejection(blame(await poem(), parameters), code);
      expect(error.details.issues?.[0]?.path, error.message).to.equal(parameter);
    });
  }

  it('refuses a repository without commits', async () => {
    await rejection(blame(await Repository.create({ poem: '' }), { path: 'poem' }), 'INVALID_PARAMETERS');
  });

  it('says that a file is too long, with a way out', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { poem: 'line\n'.repeat(400_000) });
    await rejection(blame(repository, { path: 'poem' }), 'OUTPUT_TOO_LARGE');
    expect(await blame(repository, { path: 'poem', start: 399_999 })).to.have.length(2);
  });
});
