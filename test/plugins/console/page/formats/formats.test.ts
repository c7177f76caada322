import { expect } from 'chai';
import { parseExact } from '../../../../../plugins/console/page/formats/exact-json.ts';
import { displayJson, shownLine, shownLines } from '../../../../../plugins/console/page/formats/shown-text.ts';
import { preciseDuration, relativeTime, timeLeft } from '../../../../../plugins/console/page/formats/time.ts';
import { counted, matches, sizeOf } from '../../../../../plugins/console/page/formats/words.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the formats of the console page', () => {
  const times: readonly (readonly [number, string])[] = [
    [0, 'just now'],
    [-9_000, 'just now'],
    [5_000, 'in a moment'],
    [-42_000, '42 s ago'],
    [-4.9 * minute, '4 min ago'],
    [2 * hour, 'in 2 h'],
    [-72 * hour, '3 days ago'],
  ];
  for (const [distance, text] of times)
    it(`say ${text} for ${distance} ms`, () => {
      expect(relativeTime(1e12 + distance, 1e12)).to.equal(text);
    });

  const durations: readonly (readonly [number, string, string])[] = [
    [340, '340 ms', '0:00'],
    [2_440, '2.4 s', '0:02'],
    [65_000, '1 min 5 s', '1:05'],
    [80 * minute, '80 min 0 s', '1 h 20 min'],
  ];
  for (const [durationMs, precise, left] of durations)
    it(`say ${precise} for a duration, and ${left} while it is left`, () => {
      expect(preciseDuration(durationMs)).to.equal(precise);
      expect(timeLeft(1e12 + durationMs, 1e12)).to.equal(left);
    });

  it('say that no time is left', () => {
    expect(timeLeft(1e12, 1e12)).to.equal('over');
  });

  it('count with the right noun', () => {
    expect([counted(1, 'call'), counted(0, 'call'), counted(1000, 'entry', 'entries')]).to.deep.equal([
      '1 call',
      '0 calls',
      '1,000 entries',
    ]);
    expect([sizeOf('abc'), sizeOf('x'.repeat(200_000))]).to.deep.equal(['3 characters', '200 kB']);
  });

  it('find each word of a filter in any of the texts', () => {
    expect(matches('GIT ann', ['git_push', undefined, 'assistant of Ann'])).to.equal(true);
    expect(matches('git ben', ['git_push', 'assistant of Ann'])).to.equal(false);
    expect(matches('', [])).to.equal(true);
  });

  it('show hidden characters as escapes, and keep line breaks only in texts of several lines', () => {
    expect(shownLine('a\u202eb\nc')).to.equal('a\\u202eb\\u000ac');
    expect(shownLines('a\tb\u200b\nc\u0007')).to.equal('a\tb\\u200b\nc\\u0007');
    expect(displayJson({ a: '\u2066' })).to.equal('{\n  "a": "\\u2066"\n}');
    expect(displayJson(undefined)).to.equal('');
  });

  it('read JSON without rounding an integer, where the browser can', () => {
    const text = '{"id":12345678901234567890,"small":7}';
    const canKeep = 'rawJSON' in JSON;
    expect(JSON.stringify(parseExact(text))).to.equal(canKeep ? text : '{"id":12345678901234567000,"small":7}');
  });
});
