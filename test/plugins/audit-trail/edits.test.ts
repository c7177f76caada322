import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { linesIn, writeLines, writtenTrail } from './audited.ts';

/** The record with other content and a hash that matches it: what an attacker without a key can write. */
function resealed(line: string, change: Readonly<Record<string, unknown>>): string {
  const { hash: _hash, ...body } = { ...JSON.parse(line), ...change } as Record<string, unknown>;
  const hash = createHash('sha256')
    .update(canonicalize(body) ?? '')
    .digest('hex');
  return canonicalize({ ...body, hash }) ?? '';
}

const letters = ['a', 'b', 'c', 'd', 'e'];

describe('the verification of an edited trail', () => {
  const edits: { title: string; edit: (lines: string[]) => string[]; says: Readonly<Record<number, string>> }[] = [
    { title: 'a changed text', edit: (l) => l.with(2, (l[2] ?? '').replace('"c"', '"x"')), says: { 3: 'its hash does not match' } },
    { title: 'a removed first line', edit: (l) => l.slice(1), says: { 1: 'record 1 is missing before it: the files begin with record 2' } },
    { title: 'a removed line', edit: (l) => l.toSpliced(2, 1), says: { 3: 'record 3 is missing before it' } },
    { title: 'two removed lines', edit: (l) => l.toSpliced(1, 2), says: { 2: 'records 2 to 3 are missing before it' } },
    {
      title: 'two lines in another order',
      edit: ([a, b, c, d, e]) => [a, b, d, c, e] as string[],
      says: { 3: 'record 3 is missing before it', 4: 'record 3 is out of place: it comes after record 4' },
    },
    {
      title: 'the first two lines in another order',
      edit: ([a, b, c, d, e]) => [b, a, c, d, e] as string[],
      says: { 1: 'record 1 is missing', 2: 'record 1 is out of place: it comes after record 2' },
    },
    { title: 'a line twice in a row', edit: (l) => l.toSpliced(2, 0, l[1] ?? ''), says: { 3: 'it is a copy of record 2' } },
    { title: 'a line again at the end', edit: (l) => [...l, l[1] ?? ''], says: { 6: 'record 2 is out of place' } },
    {
      title: 'an inserted line',
      edit: (l) => l.toSpliced(2, 0, resealed(l[2] ?? '', { tool: 'x' })),
      says: { 4: 'record 3 is out of place', 5: 'it does not continue record 3' },
    },
    {
      title: 'a line whose hash was computed anew',
      edit: (l) => l.with(2, resealed(l[2] ?? '', { tool: 'x' })),
      says: { 4: 'it does not continue record 3: one of the two was replaced' },
    },
    {
      title: 'a line of a far number',
      edit: (l) => l.toSpliced(2, 0, resealed(l[2] ?? '', { seq: 99 })),
      says: { 3: 'records 3 to 98 are missing before it', 4: 'record 3 is out of place', 5: 'record 4 is out', 6: 'record 5 is out' },
    },
    {
      title: 'another beginning',
      edit: (l) => l.with(0, resealed(l[0] ?? '', { previous: 'f'.repeat(64) })),
      says: { 1: 'not the beginning', 2: 'does not continue record 1' },
    },
    { title: 'a line that is not JSON', edit: (l) => l.with(2, 'hello'), says: { 3: 'it is not JSON' } },
    { title: 'an empty line', edit: (l) => l.toSpliced(2, 0, ''), says: { 3: 'it is not JSON' } },
    { title: 'an empty line at the end', edit: (l) => [...l, ''], says: { 6: 'it is not JSON' } },
    { title: 'JSON that is no record', edit: (l) => l.toSpliced(2, 0, '{"seq":3}'), says: { 3: 'it is JSON, but no record' } },
    { title: 'a list', edit: (l) => l.toSpliced(2, 0, '[]'), says: { 3: 'it is JSON, but no record' } },
    { title: 'a space more', edit: (l) => l.with(2, ` ${l[2]}`), says: { 3: 'its hash does not match' } },
    { title: 'a member twice', edit: (l) => l.with(2, `{"tool":"x",${(l[2] ?? '').slice(1)}`), says: { 3: 'its hash does not match' } },
    {
      title: 'a carriage return',
      edit: (l) => l.map((line) => `${line}\r`),
      says: { 1: 'hash', 2: 'hash', 3: 'hash', 4: 'hash', 5: 'hash' },
    },
    { title: 'a line of two megabytes', edit: (l) => l.toSpliced(2, 0, 'x'.repeat(2 ** 21)), says: { 3: 'it is longer than any record' } },
    { title: 'brackets without end', edit: (l) => l.toSpliced(2, 0, '['.repeat(500_000)), says: { 3: 'it is not JSON' } },
    {
      title: 'a nested value without end',
      edit: (l) => l.with(2, (l[2] ?? '').replace('"c"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
      says: { 3: 'its hash does not match' },
    },
    {
      title: 'a record that blesses a broken line',
      edit: (l) => l.toSpliced(2, 0, 'hello', resealed(l[2] ?? '', { event: 'recovered', bytes: 4, sha256: 'f'.repeat(64) })),
      says: {
        3: 'it is not JSON',
        4: 'it accounts for another half line than the one before it',
        5: 'record 3 is out of place',
        6: 'it does not continue',
      },
    },
  ];
  for (const { title, edit, says } of edits) {
    it(`finds ${title}, and says where`, async () => {
      const file = await writtenTrail(letters);
      await writeLines(file, edit(await linesIn(file)));
      const { problems, problemCount } = await verifyTrail(file);
      expect(problems.map(({ line }) => line).sort()).to.deep.equal(Object.keys(says).map(Number));
      expect(problemCount).to.equal(problems.length);
      for (const problem of problems) {
        expect(problem.file).to.equal(file);
        expect(problem.message).to.include(says[problem.line]);
      }
    });
  }
});
