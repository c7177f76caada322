import { isUtf8 } from 'node:buffer';

/** One character in UTF-8 (RFC 3629, 4), or several of ASCII; each byte is written as a character. */
const character = [
  '[\\0-\\x7F]+',
  '[\\xC2-\\xDF][\\x80-\\xBF]',
  '\\xE0[\\xA0-\\xBF][\\x80-\\xBF]',
  '[\\xE1-\\xEC\\xEE\\xEF][\\x80-\\xBF]{2}',
  '\\xED[\\x80-\\x9F][\\x80-\\xBF]',
  '\\xF0[\\x90-\\xBF][\\x80-\\xBF]{2}',
  '[\\xF1-\\xF3][\\x80-\\xBF]{3}',
  '\\xF4[\\x80-\\x8F][\\x80-\\xBF]{2}',
].join('|');

/** Where bytes stop to be UTF-8, from 0; undefined when all of them are. */
export function firstNonUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const text = bytes.toString('latin1');
  const next = new RegExp(character, 'y');
  let end = 0;
  while (next.test(text)) end = next.lastIndex;
  return end;
}
