/** Digits of the shortest integer that a double cannot hold: 2^53 has 16. */
const longRun = /\d{16}/;

/** A JSON number, or as much of one as stands there. */
const numberToken = /-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** An integer as JSON writes it, without a leading zero. */
const integerToken = /^-?[1-9]\d*$/;

/**
 * Reads JSON that comes from outside, as `JSON.parse` does, but never rounds an integer: one beyond ±(2^53−1) becomes a text of its digits
 * (RFC 8259, section 6). Numbers with a fraction or an exponent become doubles. Texts of our own, whose integers are known to be small, need
 * only `JSON.parse`. Throws the SyntaxError of `JSON.parse` where the text is no JSON.
 */
export function readJson(text: string): unknown {
  if (!mayRound(text)) return JSON.parse(text);
  const exact = quoteNumbers(text, isUnsafeInteger);
  try {
    return JSON.parse(exact);
  } catch {
    // Its error names places of the text as it came.
    return JSON.parse(text);
  }
}

/** True for a JSON text in which `JSON.parse` may round an integer: so many digits stand in a row, perhaps in a string. */
export function mayRound(text: string): boolean {
  return longRun.test(text);
}

/** True for a text that is an integer beyond ±(2^53−1), as `readJson` gives one. */
export function isUnsafeInteger(text: string): boolean {
  return text.length >= 16 && integerToken.test(text) && !Number.isSafeInteger(Number(text));
}

/**
 * Puts quotes around each number of a JSON text for which `isQuoted` says so. A text that is no JSON is still none afterwards. Takes time in
 * proportion to the length of the text, whatever stands in it.
 */
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

/** False before a colon: quotes would make a name of the number, and JSON of a text that is none. */
function isValue(text: string, end: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return !colon.test(text);
}

/** The index behind the string that begins at `start`; the end of the text where nothing ends it. */
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
