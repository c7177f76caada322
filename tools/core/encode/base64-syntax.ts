import { malformed, type ParameterText } from './malformed.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Throws INVALID_PARAMETERS, with the index, for a text that is neither base64 nor base64url (RFC 4648, 4 and 5). */
export function refuseNonBase64(encoded: string): void {
  const input = { parameter: 'encoded', text: encoded };
  refuseForeign(input);
  const padding = encoded.indexOf('=');
  const end = padding < 0 ? encoded.length : padding;
  const characters = encoded.slice(0, end).replace(/[ \t\r\n]/g, '');
  const remainder = characters.length % 4;
  if (remainder === 1) throw malformed(input, end, 'another character', 'No bytes have that many characters. Is the end missing?');
  if (padding >= 0) checkPadding(input, padding, (4 - remainder) % 4);
  checkLast(input, characters, remainder);
}

function refuseForeign(input: ParameterText): void {
  const { text } = input;
  const advice = /^\s*data:/i.test(text) ? 'Of a data URL give only what is behind the comma.' : 'Is it base64, and all of it?';
  const foreign = text.search(/[^\w+/=\- \t\r\n]/);
  if (foreign >= 0) throw malformed(input, foreign, 'a character of base64', advice);
  const [standard, urlSafe] = [text.search(/[+/]/), text.search(/[-_]/)];
  if (standard < 0 || urlSafe < 0) return;
  const expected = standard < urlSafe ? '"+" or "/", as before' : '"-" or "_", as before';
  throw malformed(input, Math.max(standard, urlSafe), expected, 'base64 and base64url are mixed. Is it one text?');
}

function checkPadding(input: ParameterText, padding: number, wanted: number): void {
  const behind = input.text.slice(padding).search(/[^= \t\r\n]/);
  if (behind >= 0) throw malformed(input, padding + behind, 'nothing behind "="', 'Decode texts that were put together one by one.');
  const signs = Array.from(input.text.matchAll(/=/g), ({ index }) => index);
  const surplus = signs[wanted];
  if (surplus !== undefined) throw malformed(input, surplus, 'the end', 'There are more "=" than the bytes need.');
  if (signs.length < wanted) throw malformed(input, input.text.length, 'another "="', 'Add it, or leave all of them out.');
}

/** Checks the last character of an incomplete group of four: its bits that belong to no byte must be 0 (RFC 4648, 3.5). */
function checkLast(input: ParameterText, characters: string, remainder: number): void {
  const last = characters.at(-1);
  if (last === undefined || remainder === 0) return;
  const unused = remainder === 2 ? 0b1111 : 0b11;
  const value = alphabet.indexOf(last === '-' ? '+' : last === '_' ? '/' : last);
  if ((value & unused) === 0) return;
  const advice = 'The last character stands for more than whole bytes. Is the end missing?';
  throw malformed(input, input.text.lastIndexOf(last), `"${alphabet[value & ~unused]}"`, advice);
}
