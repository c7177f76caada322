import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Sorted {
  readonly text: string;
  readonly lines: number;
  readonly removed: number;
  readonly counts?: readonly { readonly text: string; readonly count: number }[];
}

/** Returns the output of a program for a text, in the order of code points. */
function printed(program: string, options: readonly string[], input: string): string {
  return execFileSync(program, options, { input, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
}

describe('text_sort_lines', () => {
  const shared = sharedToolkit();

  const sort = (text: string, more: Record<string, unknown> = {}): Promise<Sorted> =>
    shared.toolkit.execute('text_sort_lines', { text, ...more }) as unknown as Promise<Sorted>;

  const texts = ['', '\n', 'b\na\n', 'pear\nApple\npear\n\nÄpfel\nZebra\napple\n', '～\n👋\n\ue000\nz\n', 'ab\na\nabc\na\n'];
  for (const text of texts) {
    it(`sorts ${JSON.stringify(text)} as sort, sort -r and sort -u do`, async () => {
      expect((await sort(text)).text).to.equal(printed('sort', [], text));
      expect((await sort(text, { order: 'descending' })).text).to.equal(printed('sort', ['-r'], text));
      const { text: unique, lines, removed } = await sort(text, { unique: true });
      expect(unique).to.equal(printed('sort', ['-u'], text));
      expect(lines + removed).to.equal(text.split('\n').length - 1);
    });
  }

  it('counts as uniq -c does', async () => {
    const text = 'pear\napple\npear\nä\napple\npear\n';
    const expected = printed('uniq', ['-c'], printed('sort', [], text))
      .trimEnd()
      .split('\n');
    const { counts, lines, removed } = await sort(text, { count: true });
    expect(counts?.map((line) => `${line.count} ${line.text}`)).to.deep.equal(expected.map((line) => line.trim()));
    expect([lines, removed]).to.deep.equal([6, 0]);
    expect((await sort(text, { unique: true, count: true, order: 'descending' })).counts).to.deep.equal([
      { text: 'ä', count: 1 },
      { text: 'pear', count: 3 },
      { text: 'apple', count: 2 },
    ]);
  });

  it('only removes repeated lines with order none', async () => {
    const result = await sort('b\na\nb\nA\n', { order: 'none', unique: true });
    expect(result).to.deep.equal({ text: 'b\na\nA\n', lines: 3, removed: 1 });
  });

  it('keeps lines that the order does not tell apart as they stood, also with descending', async () => {
    const text = 'B 1\na 1\nb 1\nA 1\nb 1';
    for (const order of ['ascending', 'descending'] as const) {
      const expected = pythonValue<string[]>('sorted(given["lines"], key=str.lower, reverse=given["reverse"])', {
        lines: text.split('\n'),
        reverse: order === 'descending',
      });
      expect((await sort(text, { order, ignore_case: true })).text.split('\n')).to.deep.equal(expected);
    }
  });

  it('takes upper and lower case for the same on request, and keeps the first of them', async () => {
    const { text, removed, counts } = await sort('Ä\nb\nä\nB\nB', { ignore_case: true, unique: true, count: true });
    expect([text, removed]).to.deep.equal(['b\nÄ', 3]);
    expect(counts).to.deep.equal([
      { text: 'b', count: 3 },
      { text: 'Ä', count: 2 },
    ]);
  });

  it('sorts lines that begin with a number by its value, as sort -g does', async () => {
    const text = ['10', '-5', '3.14', '3.5', '1e3', '-1e-2', '.5', '+7', '0 apples', '2 pears', '1e400']
      .map((line) => `${line}\n`)
      .join('');
    expect((await sort(text, { numeric: true })).text).to.equal(printed('sort', ['-g'], text));
  });

  it('sorts digits in other lines as whole numbers, as sort -V does, behind lines with a number', async () => {
    const text = 'file10.txt\nfile2.txt\nfile1.txt\nb\na100000000000000000000\na99999999999999999999\n';
    expect((await sort(text, { numeric: true })).text).to.equal(printed('sort', ['-V'], text));
    expect((await sort(`x\n${text}7\n`, { numeric: true })).text.split('\n')[0]).to.equal('7');
    expect((await sort('a01b\na1a\na1', { numeric: true })).text).to.equal('a1\na1a\na01b');
    expect((await sort('Bild 10\nbild 9', { numeric: true, ignore_case: true, locale: 'de' })).text).to.equal('bild 9\nBild 10');
  });

  const locales = [
    { locale: 'de', text: 'Zebra\nÄpfel\napfel\nAst', sorted: 'apfel\nÄpfel\nAst\nZebra' },
    { locale: 'sv', text: 'ö\nz\nä\na\nå', sorted: 'a\nz\nå\nä\nö' },
    { locale: 'de-u-co-phonebk', text: 'Ärger\nAdler\nAffe', sorted: 'Adler\nÄrger\nAffe' },
    { locale: 'es', text: 'nz\nña\no', sorted: 'nz\nña\no' },
    { locale: 'zh-u-co-pinyin', text: '中\n阿\n北', sorted: '阿\n北\n中' },
  ];
  for (const { locale, text, sorted } of locales) {
    it(`sorts in the order of ${locale}`, async () => {
      expect((await sort(text, { locale })).text).to.equal(sorted);
    });
  }

  for (const locale of ['xx', 'tlh', 'not a tag', 'de_DE']) {
    it(`refuses the locale ${locale}, whose order nobody knows`, async () => {
      const error = await rejection(sort('a', { locale }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "locale"').and.to.include(`received "${locale}"`);
    });
  }

  const endings = [
    { text: 'b\r\na\r\n', sorted: 'a\r\nb\r\n' },
    { text: 'b\r\na', sorted: 'a\r\nb' },
    { text: 'b\na', sorted: 'a\nb' },
    { text: 'c\r\nb\na\n', sorted: 'a\r\nb\r\nc\r\n' },
    { text: 'b', sorted: 'b' },
  ];
  for (const { text, sorted } of endings) {
    it(`keeps the line ending and the end of ${JSON.stringify(text)}`, async () => {
      expect((await sort(text)).text).to.equal(sorted);
    });
  }

  it('sorts very many lines', async () => {
    const count = inRound({ whole: 200_000, short: 40_000 });
    const lines = Array.from({ length: count }, (_, index) => `Zeile ${(index * 7919) % count}`);
    const { text } = await sort(lines.join('\n'), { numeric: true });
    expect(text.split('\n').slice(0, 3)).to.deep.equal(['Zeile 0', 'Zeile 1', 'Zeile 2']);
    expect((await sort(lines.join('\n'))).text).to.equal([...lines].sort().join('\n'));
  });
});
