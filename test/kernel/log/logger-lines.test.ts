import { expect } from 'chai';
import { keptLogger, recordOf } from '../../support/log-lines.ts';

const hostile = [
  { what: 'line breaks', text: 'a\nb\r\nc', shown: 'a\\nb\\r\\nc' },
  { what: 'a forged record', text: 'x\n[2026-03-04 05:06:07] [INFO] all is well', shown: 'x\\n[2026' },
  { what: 'an escape sequence', text: '\u001b[2J\u001b]0;title\u0007', shown: '\\u001b[2J\\u001b]0;title\\u0007' },
  { what: 'an eight-bit escape sequence', text: '\u009b31m', shown: '\\u009b31m' },
  { what: 'line and paragraph separators', text: 'a\u2028b\u2029c\u0085d', shown: 'a\\u2028b\\u2029c\\u0085d' },
  { what: 'turned direction', text: '\u202egpj.exe', shown: '\\u202egpj.exe' },
  { what: 'a lone surrogate', text: 'a\ud800b', shown: 'a\\ud800b' },
  { what: 'invisible tag characters', text: '\u{e0041}', shown: '\\udb40\\udc41' },
  { what: 'a tab and a null', text: 'a\tb\u0000c', shown: 'a\\tb\\u0000c' },
] as const;

describe('a log record', () => {
  for (const { what, text, shown } of hostile) {
    it(`is one line with ${what} in the message, in simple format`, () => {
      const logger = keptLogger({ format: 'simple' });
      logger.info(text);
      expect(logger.lines).to.have.length(1);
      expect(logger.lines[0]).to.match(/^[^\n]*\n$/);
      expect(logger.lines[0]).to.include(`[INFO] ${shown}`);
    });

    it(`is one line of metadata that JSON reads back with ${what}, in both formats`, () => {
      const simple = keptLogger({ format: 'simple' });
      simple.info('m', { [text]: text });
      const [line = ''] = simple.lines;
      expect(line)
        .to.match(/^[^\n]*\n$/)
        .and.include(shown);
      expect(JSON.parse(line.slice(line.indexOf('{')))).to.deep.equal({ [text]: text });
      const json = recordOf({ [text]: text }, { message: text });
      expect(json.line)
        .to.match(/^[^\n]*\n$/)
        .and.include(shown);
      expect(json.record).to.deep.include({ message: text, [text]: text });
    });
  }

  it('shows letters of all scripts and joined emoji as they are', () => {
    const text = 'Grüße, 日本語, می‌خواهم, 👩‍👩‍👧';
    expect(recordOf({ text }, { message: text }).line).to.include(`"message":"${text}","text":"${text}"`);
  });

  it('keeps its own members: those of the metadata with their names get an underscore', () => {
    const { record } = recordOf({ timestamp: 1, level: 'x', message: 'other', _message: 'there', __proto: 1 });
    expect(record).to.deep.equal({
      timestamp: '2026-03-04 05:06:07',
      level: 'error',
      message: 'm',
      _timestamp: 1,
      _level: 'x',
      __message: 'other',
      _message: 'there',
      __proto: 1,
    });
  });

  it('leaves such names alone in simple format, where they collide with nothing', () => {
    const logger = keptLogger({ format: 'simple' });
    logger.info('m', { message: 1, level: 2 });
    expect(logger.lines[0]).to.equal('[2026-03-04 05:06:07] [INFO] m {"message":1,"level":2}\n');
  });

  const messages = [
    { what: 'an error', message: new Error('boom'), shown: 'boom' },
    { what: 'an object', message: { a: 1 }, shown: '{"a":1}' },
    { what: 'a symbol', message: Symbol('s'), shown: 'Symbol(s)' },
    { what: 'null', message: null, shown: 'null' },
    { what: 'an object without a prototype', message: Object.create(null), shown: '{}' },
    { what: 'a very long text', message: 'x'.repeat(1_000_000), shown: `${'x'.repeat(9968)}… [990032 more characters]` },
  ] as const;
  for (const { what, message, shown } of messages)
    it(`takes ${what} for a message`, () => expect(recordOf(undefined, { message }).record['message']).to.equal(shown));

  const stray = [
    { what: 'an error', meta: new Error('boom'), shown: { error: { name: 'Error', message: 'boom' } } },
    { what: 'a list', meta: [1, 2], shown: { meta: [1, 2] } },
    { what: 'a text', meta: 'x', shown: { meta: 'x' } },
    { what: 'null', meta: null, shown: {} },
  ] as const;
  for (const { what, meta, shown } of stray)
    it(`takes ${what} in the place of metadata`, () => {
      const { timestamp: _timestamp, level: _level, message: _message, ...rest } = recordOf(meta).record;
      expect(rest).to.deep.equal(shown);
    });
});
