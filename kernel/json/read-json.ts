/** Matches as many digits as the smallest integer that a double cannot hold: 2^53 has 16. */
const longRun = /\d{16}/;

/** Matches a JSON number, or its beginning. */
const numberToken = /-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Matches a JSON integer without a leading zero. */
const integerToken = /^-?[1-9]\d*$/;

/**
 * Parses foreign JSON as `JSON.parse` does, but never rounds an integer: beyond ±(2^53−1) it becomes a text of its digits (RFC 8259, section 6).
 * Numbers with a fraction or an exponent become doubles. Our own JSON has only small integers, and needs only `JSON.parse`. Throws the SyntaxError of
 * `JSON.parse`.
 */
export function readJson(text: string): unknown {
  if (!mayRound(text)) return JSON.parse(text);
  const exact = quoteNumbers(text, isUnsafeInteger);
  try {
    return JSON.parse(exact);
  } catch {
    // Its error has positions in the original text.
    return JSON.parse(text);
  }
}

/** True when `JSON.parse` may round an integer of the text: it has enough digits in a row, perhaps in a string. */
export function mayRound(text: string): boolean {
  return longRun.test(text);
}

/** True for the text of an integer beyond ±(2^53−1), as `readJson` returns it. */
export function isUnsafeInteger(text: string): boolean {
  return text.length >= 16 && integerToken.test(text) && !Number.isSafeInteger(Number(text));
}

/** Quotes each number of a JSON text for which `isQuoted` returns true. Invalid JSON stays invalid. The time is linear in the length of the text. */
export function quoteNumbers(text: string, isQuoted: (token: string) => boolean): string {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(from, end);
    parts.push(
      between.replace(numberToken, (token, at: number) => (isValue(between, at + token.length) && isQuoted(token) ? `"${token}"` : token)),
    );
    from = endOfString(text, end);
    parts.push(text.slice(end, from));
  }
  return parts.join('');
}

/** False before a colon: quotes would turn an invalid number into a valid name. */
function isValue(text: string, end: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return !colon.test(text);
}

/** Returns the index after the string that begins at `start`; the end of the text if it does not end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
