import type { Random } from '../../../support/random.ts';

/** Texts that a sender must encode, or must not touch. */
const anywhere: readonly string[] = [
  'a b',
  '&=?#/%+',
  'a&b=c',
  '50%',
  '%2F%20',
  '1+1',
  'Größe “ß” ✓',
  '日本語',
  '😀👩‍👩‍👧',
  'e\u0301',
  "it's",
  '"quoted"',
  '<b>&amp;</b>',
  '[0]',
  '{"a":1}',
  '(x)*!',
  '~user-name_1.2',
  'a:b@c',
  '$ref',
  '`tick`^|',
  'true',
  'null',
  '0123',
  '1e3',
  '-',
  '../x',
  'a;b',
  'a,b',
  'a|b',
  'a/b/c',
  '%',
  '__proto__',
  'constructor',
];

/** Texts that a path cannot hold (dot segments, an empty segment, backslashes). */
const notInPath: readonly string[] = ['../x'];
const onlyOutsideOfPath: readonly string[] = ['a\\b', 'tab\there', '..', '.'];
const onlyInBody: readonly string[] = ['two\nlines', 'two\r\nlines', ' blanks around ', '\u00a0'];
/** A field value has visible ASCII and blanks between (RFC 9110, 5.5); others are refused or need an encoding that no document names. */
const inHeader: readonly string[] = [
  'a b',
  '&=?#/%+',
  'a&b=c',
  '50%',
  '%2F%20',
  '1+1',
  "it's",
  '"quoted"',
  '[0]',
  '(x)*!',
  'a:b@c',
  '~1',
  'true',
  '0123',
];

/** The part of a request in which a text is written. */
export type TextPlace = 'path' | 'query' | 'header' | 'cookie' | 'body';

const choices: Readonly<Record<TextPlace, readonly string[]>> = {
  path: anywhere.filter((text) => !notInPath.includes(text)),
  query: [...anywhere, ...onlyOutsideOfPath],
  header: inHeader,
  cookie: inHeader,
  body: [...anywhere, ...onlyOutsideOfPath, ...onlyInBody],
};

/** Returns a text that is hard to send, between so many characters where these are given. */
export function nastyText(random: Random, place: TextPlace, min = 0, max = Number.POSITIVE_INFINITY): string {
  const fitting = choices[place].filter((text) => text.length >= min && text.length <= max);
  if (fitting.length > 0) return random.oneOf(fitting);
  const filled = random.oneOf(choices[place]).padEnd(Math.min(min, 1_000_000), 'ab1');
  return Number.isFinite(max) ? filled.slice(0, max) : filled;
}
