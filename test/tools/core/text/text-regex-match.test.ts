import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Match {
  readonly text: string;
  readonly index: number;
  readonly groups: readonly (string | null)[];
  readonly named: Readonly<Record<string, string | null>>;
}

describe('text_regex_match', () => {
  const shared = sharedToolkit();

  const match = (text: string, pattern: string, more: Record<string, unknown> = {}): Promise<{ matches: Match[]; truncated: boolean }> =>
    shared.toolkit.execute('text_regex_match', { text, pattern, ...more }) as never;
  const found = async (text: string, pattern: string, more: Record<string, unknown> = {}): Promise<[string, number][]> =>
    (await match(text, pattern, more)).matches.map(({ text: value, index }) => [value, index]);

  const likePython = [
    { text: 'eins zwei drei', pattern: '\\w+' },
    { text: '2026-03-14, 2025-12-01', pattern: '(\\d{4})-(\\d\\d)(-\\d\\d)?' },
    { text: 'a1b', pattern: '([a-z])|(\\d)' },
    { text: 'Größe 👋 naïve 世界', pattern: '[^ ]+' },
    { text: '👋👋🏽', pattern: '.' },
    { text: 'baac', pattern: 'a*' },
    { text: '', pattern: 'x*' },
    { text: '👋é', pattern: '' },
    { text: 'total: €25, price: €7', pattern: '(?<=€)\\d+(?!\\d)' },
    { text: 'no match', pattern: 'z' },
    { text: 'abab cdcd', pattern: '(..)\\1' },
    { text: 'Ä ä ẞ ß', pattern: 'ä|ß', flags: 'i' },
    { text: 'eins\nzwei\n', pattern: '^.*$', flags: 'm' },
    { text: 'a\nb', pattern: 'a.b', flags: 's' },
  ];
  it('finds what finditer of Python finds, at the same places in UTF-16', async () => {
    const prepare = [
      'import re',
      'def utf16(text): return len(text.encode("utf-16-le")) // 2',
      'def found(text, pattern, flags=""):',
      '    compiled = re.compile(pattern, sum(getattr(re, flag.upper()) for flag in flags))',
      '    return [[m[0], utf16(text[:m.start()]), list(m.groups())] for m in compiled.finditer(text)]',
    ].join('\n');
    const expected = pythonValue<unknown[]>('[found(**case) for case in given]', likePython, prepare);
    for (const [index, { text, pattern, ...more }] of likePython.entries()) {
      const { matches, truncated } = await match(text, pattern, more);
      expect(
        matches.map((one) => [one.text, one.index, one.groups]),
        `${pattern} in ${text}`,
      ).to.deep.equal(expected[index]);
      expect(truncated).to.equal(false);
    }
  });

  it('gives the groups by number and by name, null for one that took no part', async () => {
    expect((await match('x=1', '(?<key>\\w)=(?:(?<digit>\\d)|(?<letter>[a-z]))')).matches).to.deep.equal([
      { text: 'x=1', index: 0, groups: ['x', '1', null], named: { key: 'x', digit: '1', letter: null } },
    ]);
  });

  it('gives groups of any name as members of their own', async () => {
    const { matches } = await match('ab', '(?<__proto__>a)(?<constructor>b)');
    expect(Object.entries(matches[0]?.named ?? {})).to.deep.equal([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(({} as Record<string, unknown>)['0']).to.equal(undefined);
  });

  const flags = [
    { flags: 'g', text: 'aA', pattern: 'a', found: [['a', 0]] },
    {
      flags: 'gi',
      text: 'aA',
      pattern: 'a',
      found: [
        ['a', 0],
        ['A', 1],
      ],
    },
    {
      flags: 'y',
      text: 'aaba',
      pattern: 'a',
      found: [
        ['a', 0],
        ['a', 1],
      ],
    },
    { flags: 'gy', text: 'baa', pattern: 'a', found: [] },
    { flags: 'v', text: 'aβ', pattern: '[\\p{L}--[a-z]]', found: [['β', 1]] },
    { flags: 'u', text: '👋', pattern: '^.$', found: [['👋', 0]] },
  ];
  for (const { flags: given, text, pattern, found: expected } of flags) {
    it(`takes the flags ${given}`, async () => {
      expect(await found(text, pattern, { flags: given })).to.deep.equal(expected);
    });
  }

  it('finds letters by their property without a flag', async () => {
    expect(await found('1é世', '\\p{L}')).to.deep.equal([
      ['é', 1],
      ['世', 2],
    ]);
  });

  it('takes an escape that only the older syntax has', async () => {
    expect(await found('a-b_c', 'a\\-b\\_c')).to.deep.equal([['a-b_c', 0]]);
  });

  it('stops at max_matches and says whether there are more', async () => {
    expect(await found('aaa', 'a', { max_matches: 2 })).to.deep.equal([
      ['a', 0],
      ['a', 1],
    ]);
    expect(await match('aaa', 'a', { max_matches: 2 })).to.include({ truncated: true });
    expect(await match('aaa', 'a', { max_matches: 3 })).to.include({ truncated: false });
    const { matches, truncated } = await match('a'.repeat(1001), 'a');
    expect([matches.length, truncated]).to.deep.equal([1000, true]);
  });

  const mistakes = [
    { pattern: '(', says: 'Unterminated group' },
    { pattern: 'a{2,1}', says: 'numbers out of order' },
    { pattern: '\\p{Klingon}', says: 'Invalid property name' },
    { pattern: '(?P<year>\\d+)', says: 'A named group is (?<name>…)' },
    { pattern: '(?i)abc', says: 'Give flags in "flags"' },
    { pattern: 'a++', says: 'no atomic groups and possessive quantifiers' },
    { pattern: '\\Aabc\\Z', says: 'received \\A, which does not exist there' },
    { pattern: '[[:alpha:]]+', says: 'received a POSIX class. Write \\p{L}' },
    { pattern: '\\k<name>', says: 'Invalid named' },
  ];
  for (const { pattern, says } of mistakes) {
    it(`refuses the pattern ${pattern}`, async () => {
      const error = await rejection(match('abc', pattern), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "pattern": expected a JavaScript regular expression').and.to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal('pattern');
    });
  }

  for (const { flags: given, says } of [
    { flags: 'ix', says: 'received "x" in "ix"' },
    { flags: 'd', says: 'received "d"' },
    { flags: 'I', says: 'received "I"' },
    { flags: 'ii', says: 'each once, received "i" in "ii"' },
    { flags: 'uv', says: 'expected u or v, received both' },
  ]) {
    it(`refuses the flags ${given}`, async () => {
      const error = await rejection(match('abc', 'a', { flags: given }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "flags"').and.to.include(says);
    });
  }

  it('refuses a result that is larger than its limit', async () => {
    const error = await rejection(match('x'.repeat(10_000), '(?=(x*))', { max_matches: 100_000 }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('Lower max_matches');
    expect(error.details).to.include({ maxCharacters: 20_000_000 });
  });
});
