import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { onceForFile } from '../../../support/temporary.ts';
import { call } from './person.ts';
import { Repository } from './repository.ts';

interface Log {
  readonly commits: readonly { readonly subject: string; readonly files?: readonly string[] }[];
}

const body = (name: string): string => Array.from({ length: 12 }, (_, line) => `${name} line ${line}`).join('\n');

const log = (repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<Log> =>
  call('git_log', repository, parameters);

/** As `Subject: file, file`, newest first. */
async function found(repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { commits } = await log(repository, parameters);
  return commits.map(({ subject, files = [] }) => `${subject}: ${[...files].sort().join(', ')}`);
}

/** A line that comes, moves to another file in a merge's branch, and goes; and a message of several lines. */
const history = onceForFile(async () => {
  const repository = await Repository.create();
  await repository.commit('Start', { 'a.txt': `${body('a')}\nneedle(1)\n-dash first\n`, 'other.txt': `${body('o')}\n` });
  await repository.commit('Untouched\n\nFIXES the Größe of [it]\nFixes #17', { 'other.txt': `${body('o')}\nmore\n` });
  await repository.git('switch', '--quiet', '--create', 'side');
  await repository.commit('Move', { 'a.txt': `${body('a')}\n-dash first\n`, 'src/b.txt': `${body('b')}\nneedle(1)\nof two lines\n` });
  await repository.git('switch', '--quiet', 'main');
  await repository.commit('Case', { 'other.txt': `${body('o')}\nNEEDLE(1)\n` });
  await repository.git('merge', '--quiet', '--no-edit', 'side');
  await repository.git('mv', 'src/b.txt', 'src/c.txt');
  await repository.commit('Rename and change', { 'src/c.txt': `${body('b')}\nneedle(2)\nof two lines\n` });
  await rm(path.join(repository.folder, 'src'), { recursive: true });
  await repository.commit('Gone');
  return repository;
});

describe('git_log finds commits', () => {
  const searches: { name: string; parameters: Record<string, unknown>; expected: readonly string[] }[] = [
    {
      name: 'by a text that they added or removed, also one that moved or is gone',
      parameters: { changed_text: 'needle(1)' },
      expected: ['Rename and change: src/c.txt', 'Move: a.txt, src/b.txt', 'Start: a.txt'],
    },
    { name: 'by a text of two lines', parameters: { changed_text: ')\nof two' }, expected: ['Gone: src/c.txt', 'Move: src/b.txt'] },
    { name: 'by a text that begins with a dash', parameters: { changed_text: '-dash' }, expected: ['Start: a.txt'] },
    { name: 'by a text that looks like an option', parameters: { changed_text: '--output=marker' }, expected: [] },
    { name: 'by a text with capital letters only', parameters: { changed_text: 'NEEDLE' }, expected: ['Case: other.txt'] },
    {
      name: 'by a text in one folder',
      parameters: { changed_text: 'needle(1)', path: 'src' },
      expected: ['Rename and change: src/c.txt', 'Move: src/b.txt'],
    },
    {
      name: 'by a pattern of changed lines, also where it fits as often as before',
      parameters: { changed_pattern: 'needle\\([12]\\)' },
      expected: ['Gone: src/c.txt', 'Rename and change: src/c.txt', 'Move: a.txt, src/b.txt', 'Start: a.txt'],
    },
    { name: 'by a pattern that begins with a dash', parameters: { changed_pattern: '-d[a-z]+ first$' }, expected: ['Start: a.txt'] },
    {
      name: 'by a text and an author',
      parameters: { changed_text: 'needle(1)', author: 'aDA LOVE', max_count: 1 },
      expected: ['Rename and change: src/c.txt'],
    },
    { name: 'by a text and an author who made none', parameters: { changed_text: 'needle(1)', author: 'A.a' }, expected: [] },
    { name: 'by a text and a message', parameters: { changed_text: 'more', message: 'größe OF [IT]' }, expected: ['Untouched: other.txt'] },
    { name: 'by a message, in any case', parameters: { message: 'fixes the größe' }, expected: ['Untouched: '] },
    { name: 'by a message as it is', parameters: { message: 'f.xes' }, expected: [] },
    { name: 'by a message that begins with a dash', parameters: { message: '--all' }, expected: [] },
    { name: 'by a message and an author, both', parameters: { message: '#17', author: 'turing' }, expected: [] },
  ];
  for (const { name, parameters, expected } of searches)
    it(name, async () => {
      expect(await found(await history(), parameters)).to.deep.equal(expected);
    });

  it('by a text of any bytes but null as plain git does', async () => {
    const repository = await Repository.create();
    const odd = ['\t\ttabs', '  ', '\'quoted\' "twice"', '$(id) `id`', '\\n', 'ä€😀', '%x00', '{revision}', ':(top)x', '^[a', 'a\r\nb'];
    for (const [index, text] of odd.entries()) await repository.commit(`With ${index}`, { [`${index}.txt`]: `before\n${text}\n` });
    for (const [index, text] of odd.entries()) {
      const plain = (await repository.git('log', '--format=%s', `-S${text}`)).split('\n');
      const { commits } = await log(repository, { changed_text: text });
      expect(
        commits.map(({ subject }) => subject),
        JSON.stringify(text),
      )
        .to.deep.equal(plain)
        .and.to.include(`With ${index}`);
    }
  });

  const refused: { name: string; parameters: Record<string, unknown>; parameter: string; says: string }[] = [
    ...['author', 'message', 'changed_pattern'].map((parameter) => ({
      name: `a line break in ${parameter}, where git would take both lines for themselves`,
      parameters: { [parameter]: 'one\ntwo' },
      parameter,
      says: 'without line breaks',
    })),
    {
      name: 'a broken pattern',
      parameters: { changed_pattern: 'a(b' },
      parameter: 'changed_pattern',
      says: 'extended regular expression (POSIX), received "a(b"',
    },
    {
      name: 'a text and a pattern',
      parameters: { changed_text: 'a', changed_pattern: 'b' },
      parameter: 'changed_pattern',
      says: 'received both',
    },
    { name: 'an empty text', parameters: { changed_text: '' }, parameter: 'changed_text', says: 'changed_text' },
  ];
  for (const { name, parameters, parameter, says } of refused)
    it(`and refuses ${name}`, async () => {
      const error = await rejection(log(await history(), parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal(parameter);
    });

  describe('by nothing that stands in files with secrets', () => {
    const secret = 'API_KEY=planted-4711';
    const guesses: { name: string; change: (repository: Repository) => Promise<unknown> }[] = [
      {
        name: 'that came and went',
        change: async (repository) => {
          await repository.commit('Secret', { '.env': `${body('env')}\n${secret}\n` });
          await rm(path.join(repository.folder, '.env'));
          await repository.commit('Cleaned');
        },
      },
      {
        name: 'that was renamed to something else',
        change: async (repository) => {
          await repository.commit('Secret', { '.env': `${body('env')}\n${secret}\n` });
          await repository.git('mv', '.env', 'plain.txt');
          await repository.commit('Renamed', { 'plain.txt': `${body('env')}\n` });
        },
      },
      {
        name: 'of several names, found one after another',
        change: async (repository) => {
          for (const name of ['.env', 'sub/.env', '.npmrc', 'id_ed25519'])
            await repository.commit(`Secret ${name}`, { [name]: `${name}\n${secret}\n` });
        },
      },
    ];
    for (const { name, change } of guesses)
      it(`${name}: right and wrong guesses get the same answer`, async () => {
        const repository = await Repository.create();
        await repository.commit('Public', { 'a.txt': 'API_KEY=planted-\nAPI_KEY=other\n' });
        await change(repository);
        for (const way of ['changed_text', 'changed_pattern'])
          for (const given of [{}, { max_count: 1 }, { path: '.env' }]) {
            const right = await log(repository, { [way]: secret, ...given });
            expect(right, `${way} ${JSON.stringify(given)}`).to.deep.equal(
              await log(repository, { [way]: 'API_KEY=planted-0815', ...given }),
            );
            expect(right).to.deep.equal({ commits: [] });
          }
        expect(await found(repository, { changed_text: 'API_KEY=planted-', max_count: 1 })).to.deep.equal(['Public: a.txt']);
      });
  });
});
