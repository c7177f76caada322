import { expect } from 'chai';
import { documentOf, parseText } from '../../../../plugins/openapi/document/parse-document.ts';
import { rejection } from '../../../support/rejection.ts';

const parse = (text: string) => parseText(text, '/api/openapi.yaml');

/** Longer than texts that are parsed in this process. */
const long = `# ${'x'.repeat(20_000)}\n`;

describe('parseText', () => {
  it('reads JSON and keeps integers beyond 2^53', async () => {
    expect(await parse('{"a": 12345678901234567890, "b": [1.5]}')).to.deep.equal({
      value: { a: '12345678901234567890', b: [1.5] },
      notes: [],
    });
  });

  const same: Record<string, [yaml: string, value: unknown]> = {
    'response keys as integers': ['responses:\n  200: {description: ok}\n', { responses: { '200': { description: 'ok' } } }],
    'y, no and on as texts': ['a: y\nb: no\nc: [on, OFF, yes]\n', { a: 'y', b: 'no', c: ['on', 'OFF', 'yes'] }],
    'dates as texts': ['a: 2024-01-02\nb: 2024-01-02T03:04:05Z\n', { a: '2024-01-02', b: '2024-01-02T03:04:05Z' }],
    'integers beyond 2^53 as texts': ['a: 9223372036854775807\nb: 42\n', { a: '9223372036854775807', b: 42 }],
    'anchors, aliases and merge keys': ['a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n', { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } }],
    'infinity as a text': ['a: .inf\n', { a: 'Infinity' }],
    'tags of YAML 1.1 as texts': ['a: !!timestamp 2024-01-02\nb: !vendor x\n', { a: '2024-01-02', b: 'x' }],
    'the words of YAML 1.1 as texts, also with its directive': ['%YAML 1.1\n---\na: yes\n', { a: 'yes' }],
  };
  for (const [name, [text, value]] of Object.entries(same)) {
    it(`reads YAML: ${name}`, async () => {
      expect((await parse(text)).value).to.deep.equal(value);
    });
  }

  it('reads a long YAML text in a child process to the same value', async () => {
    expect((await parse(`${long}a: &x {b: 9223372036854775807}\nc: *x\n`)).value).to.deep.equal({
      a: { b: '9223372036854775807' },
      c: { b: '9223372036854775807' },
    });
  });

  it('keeps a member called __proto__ as a member', async () => {
    const { value } = await parse('a:\n  __proto__: {polluted: 1}\n');
    expect(Object.keys((value as { a: object }).a)).to.deep.equal(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  const tolerated: Record<string, [yaml: string, value: unknown, note: RegExp]> = {
    'a key that is written twice': ['a: 1\nb: 2\na: 3\n', { a: 3, b: 2 }, /^line 3: the key is written twice/],
    'a tab in the indentation': ['a:\n  b: 1\n\t\nc: 2\n', { a: { b: 1 }, c: 2 }, /^$/],
    'an unknown escape': ['a: "x\\-y"\n', { a: 'x\\-y' }, /^line 1: Invalid escape sequence/],
    'a text that begins with a reserved character': ['a: @name\n', { a: '@name' }, /^line 1: Plain value cannot start/],
    'a second document': ['a: 1\n---\nb: 2\n', { a: 1 }, /^line 2: Source contains multiple documents/],
  };
  for (const [name, [text, value, note]] of Object.entries(tolerated)) {
    it(`reads YAML with a mistake, and notes it: ${name}`, async () => {
      const parsed = await parse(text);
      expect(parsed.value).to.deep.equal(value);
      expect(parsed.notes.join()).to.match(note);
    });
  }

  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...[...'bcdefghijk'].map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]}, `.repeat(10)}]`),
  ];
  const refused: Record<string, [text: string, message: RegExp]> = {
    'aliases that stand for billions of values': [bomb.join('\n'), /more than \d+ values when aliases are written out/],
    'the same in a long text': [long + bomb.join('\n'), /more than \d+ values when aliases are written out/],
    'an alias inside what it repeats': ['a: &a {b: *a}\n', /an alias is inside what it repeats/],
    'ten thousand levels of YAML': [`a: ${'['.repeat(10_000)}${']'.repeat(10_000)}\nb: c`, /nested deeper than 200 levels/],
    'the same in a long text, in a child process': [
      `${long}a: ${'['.repeat(10_000)}${']'.repeat(10_000)}\nb: c`,
      /nested deeper than 200 levels/,
    ],
    'broken indentation': ['a:\n  b: 1\n c: 2\n', /no YAML \(line 3: /],
    'broken JSON': ['{"a": 1,, "b"}', /no JSON \(/],
  };
  for (const [name, [text, message]] of Object.entries(refused)) {
    it(`refuses ${name}`, async () => {
      expect((await rejection(parse(text), 'CONFIG_INVALID')).message)
        .to.match(message)
        .and.to.match(/^"\/api\/openapi\.yaml" is /);
    });
  }
});

describe('documentOf', () => {
  for (const value of [{ openapi: '3.0.3' }, { openapi: '3.1.0' }, { openapi: 3 }, { openapi: 3.1 }, { swagger: '2.0' }, { swagger: 2 }]) {
    it(`takes ${JSON.stringify(value)}`, () => {
      expect(documentOf(value, 'x')).to.equal(value);
    });
  }

  const received: [value: unknown, message: RegExp][] = [
    [[1], /received array of 1/],
    ['text', /received string "text"/],
    [null, /received null/],
    [{}, /received neither/],
    [{ swagger: '1.2' }, /received swagger string "1.2"/],
    [{ openapi: '4.0.0' }, /received openapi string "4.0.0"/],
    [{ openapi: { version: 3 } }, /received openapi object/],
  ];
  for (const [value, message] of received) {
    it(`says that it received ${JSON.stringify(value)}`, () => {
      expect(() => documentOf(value, '/api/x.json')).to.throw(message);
    });
  }
});
