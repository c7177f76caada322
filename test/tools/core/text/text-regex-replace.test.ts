import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_regex_replace', () => {
  const shared = sharedToolkit();

  const replace = (text: string, pattern: string, replacement: string, more: Record<string, unknown> = {}): Promise<unknown> =>
    shared.toolkit.execute('text_regex_replace', { text, pattern, replacement, ...more });

  const likePython = [
    { text: 'Doe, Jane', pattern: '(\\w+), (\\w+)', replacement: '$2 $1', python: '\\2 \\1' },
    { text: 'abc', pattern: '', replacement: '-', python: '-' },
    { text: '👋é', pattern: '', replacement: '-', python: '-' },
    { text: 'baac', pattern: 'a*', replacement: '-', python: '-' },
    { text: '', pattern: '^', replacement: 'x', python: 'x' },
    { text: 'Größe 世界', pattern: '[ßö世]', replacement: '', python: '' },
    { text: 'eins\nzwei', pattern: '^', replacement: '> ', python: '> ', flags: 'm' },
    { text: 'nothing', pattern: 'z', replacement: 'x', python: 'x' },
    { text: 'a-b', pattern: '(a)|(b)', replacement: '[$1|$2]', python: '[\\1|\\2]' },
  ];
  it('gives what subn of Python gives', async () => {
    const prepare = [
      'import re',
      'def replaced(text, pattern, python, flags="", **_):',
      '    new, count = re.subn(pattern, python, text, flags=sum(getattr(re, flag.upper()) for flag in flags))',
      '    return {"text": new, "replacements": count}',
    ].join('\n');
    const expected = pythonValue<unknown[]>('[replaced(**case) for case in given]', likePython, prepare);
    for (const [index, { text, pattern, replacement, python: _, ...more }] of likePython.entries())
      expect(await replace(text, pattern, replacement, more), `${pattern} in ${text}`).to.deep.equal(expected[index]);
  });

  const dollars = [
    '$&',
    '$$',
    '$`',
    "$'",
    '$1',
    '$2',
    '$3',
    '$0',
    '$00',
    '$01',
    '$11',
    '$10',
    '$',
    '$$$1',
    '$<',
    '\\1',
    '$x',
    '<$1>$',
    "[$`|$&|$']",
  ];
  for (const replacement of dollars) {
    it(`reads ${replacement} as String.prototype.replace does`, async () => {
      const text = 'xabyab👋';
      const expected = text.replaceAll(/(a)(b)/g, replacement);
      expect(await replace(text, '(a)(b)', replacement)).to.deep.equal({ text: expected, replacements: 2 });
    });
  }

  it('reads two digits as one number where there are so many groups', async () => {
    const letters = 'abcdefghijkl';
    const pattern = Array.from(letters, (letter) => `(${letter})`).join('');
    expect(await replace(letters, pattern, '$12$1$13$010')).to.deep.equal({ text: 'laa3a0', replacements: 1 });
  });

  it('puts in named groups, nothing for one that took no part', async () => {
    expect(await replace('a1', '(?<letter>[a-z])|(?<digit>\\d)', '<$<letter>$<digit>>')).to.deep.equal({ text: '<a><1>', replacements: 2 });
  });

  it('replaces all, by the flags that are given, and the first only as its description says', async () => {
    expect(await replace('aA', 'a', '-', { flags: 'i' })).to.deep.equal({ text: '--', replacements: 2 });
    expect(await replace('aaba', 'a', '-', { flags: 'y' })).to.deep.equal({ text: '--ba', replacements: 2 });
    expect(await replace('x a\na', '^([\\s\\S]*?)a', '$1-')).to.deep.equal({ text: 'x -\na', replacements: 1 });
  });

  for (const { pattern, replacement, says } of [
    { pattern: '(?<year>a)', replacement: '$<yaer>', says: 'received $<yaer>, but the pattern names year' },
    { pattern: 'a', replacement: '$<year>', says: 'the pattern names no group. Write $$<' },
  ]) {
    it(`refuses ${replacement} for ${pattern}`, async () => {
      const error = await rejection(replace('a', pattern, replacement), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "replacement"').and.to.include(says);
    });
  }

  it('refuses patterns and flags that are wrong', async () => {
    expect((await rejection(replace('a', '(', ''), 'INVALID_PARAMETERS')).message).to.include('Unterminated group');
    expect((await rejection(replace('a', 'a', '', { flags: 'x' }), 'INVALID_PARAMETERS')).message).to.include('received "x"');
  });

  it('refuses a result that is larger than its limit, before it is made', async () => {
    await rejection(replace('x'.repeat(10_000), 'x', '$`'), 'OUTPUT_TOO_LARGE');
    await rejection(replace('x'.repeat(1000), 'x', 'y'.repeat(1_000_000)), 'OUTPUT_TOO_LARGE');
  });
});
