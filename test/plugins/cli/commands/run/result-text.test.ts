import { expect } from 'chai';
import type { CallOutput, JsonValue, Terminal } from '../../../../../kernel/index.ts';
import type { Output } from '../../../../../plugins/shared/terminal/output.ts';
import { resultText } from '../../../../../plugins/shared/terminal/result-text.ts';
import { noTerminal } from '../../../../support/invocation.ts';

const terminal: Terminal = { ...noTerminal, isTerminal: true, columns: 40 };

const rows = [
  { id: 1, title: 'A short one', done: true },
  { id: 22, title: 'One that is longer than the terminal is wide', extra: { a: [1] } },
];

function text(output: JsonValue, to: Terminal, format?: Output, content?: CallOutput['content']): Promise<string> {
  return resultText({ output, ...(content === undefined ? {} : { content }) }, to, format);
}

describe('the result of toolkit run', () => {
  const cases: readonly {
    readonly title: string;
    readonly to: Terminal;
    readonly format?: Output;
    readonly output: JsonValue;
    readonly shows: string;
  }[] = [
    { title: 'is JSON for programs', to: noTerminal, output: { a: [1] }, shows: '{\n  "a": [\n    1\n  ]\n}\n' },
    { title: 'is JSON for programs, also of a text', to: noTerminal, output: 'a\nb', shows: '"a\\nb"\n' },
    { title: 'is the text itself where it is asked for raw', to: noTerminal, format: 'raw', output: 'a\nb', shows: 'a\nb' },
    {
      title: 'is JSON on one line for what is no text and asked for raw',
      to: noTerminal,
      format: 'raw',
      output: { a: [1] },
      shows: '{"a":[1]}\n',
    },
    { title: 'is JSON on a terminal for what is nested', to: terminal, output: { a: [1] }, shows: '{\n  "a": [\n    1\n  ]\n}\n' },
    { title: 'is JSON on a terminal for an empty list', to: terminal, output: [], shows: '[]\n' },
    {
      title: 'is a table on a terminal for simple values',
      to: terminal,
      output: { id: 5, name: null, ok: false },
      shows: 'id    5\nname\nok    false\n',
    },
    {
      title: 'is a table on a terminal for objects, within its width',
      to: terminal,
      output: [
        { id: 1, title: 'A short one' },
        { id: 22, title: 'One that is longer than the terminal is wide' },
      ],
      shows: 'id  title\n 1  A short one\n22  One that is longer than the termina…\n',
    },
    {
      title: 'shows each object by itself where a table has no room',
      to: { ...terminal, columns: 24 },
      output: rows,
      shows:
        'id     1\ntitle  A short one\ndone   true\n\nid     22\ntitle  One that is\n       longer than the\n       terminal is wide\nextra  {"a":[1]}\n',
    },
    {
      title: 'is a table for programs where they ask for one, with nothing cut',
      to: noTerminal,
      format: 'table',
      output: rows,
      shows:
        'id  title                                         done  extra\n 1  A short one                                   true\n22  One that is longer than the terminal is wide        {"a":[1]}\n',
    },
    {
      title: 'is a list line by line where a table is asked for',
      to: terminal,
      format: 'table',
      output: ['a', 1, null],
      shows: 'a\n1\n\n',
    },
    {
      title: 'shows the lines of a text in a table',
      to: terminal,
      output: { log: 'one\r\n\ttwo\n', n: 1 },
      shows: 'log  one\n         two\nn    1\n',
    },
    {
      title: 'shows what would steer the terminal in a table',
      to: terminal,
      output: { a: '\u001b[2J<b>\u202e' },
      shows: 'a  \\u001b[2J<b>\\u202e\n',
    },
    {
      title: 'shows what would steer the terminal in JSON',
      to: terminal,
      output: ['\u009b2J', '\u202e'],
      shows: '[\n  "\\u009b2J",\n  "\\u202e"\n]\n',
    },
    { title: 'leaves JSON for programs as it is', to: noTerminal, output: ['\u202e'], shows: '[\n  "\u202e"\n]\n' },
  ];
  for (const { title, to, format, output, shows } of cases) {
    it(title, async () => {
      expect(await text(output, to, format)).to.equal(shows);
    });
  }

  it('is the text that the tool gave to show, on a terminal where nothing else is asked for', async () => {
    const content = [{ type: 'text', text: 'Two\u001b[2J\nlines' }] as const;
    expect(await text({ lines: ['Two', 'lines'] }, terminal, undefined, content)).to.equal('Two\\u001b[2J\nlines\n');
    expect(await text({ n: 1 }, terminal, 'json', content)).to.equal('{\n  "n": 1\n}\n');
    expect(await text({ n: 1 }, noTerminal, undefined, content)).to.equal('{\n  "n": 1\n}\n');
  });
});
