/** Matches a character that XML 1.0 does not allow, not even as a reference (section 2.2). */
const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** First character of a name (XML 1.0, 2.3). */
const start =
  ':A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF';
const startBeyond = '\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const name = new RegExp(`^[${start}${startBeyond}][${start}${startBeyond}\\-.0-9\\xB7\\u0300-\\u036F\\u203F-\\u2040]*$`, 'u');

/** Returns the offset of the first character that XML does not allow, in UTF-16 code units from 0. -1 when there is none. */
export function findForbiddenCharacter(text: string): number {
  return text.search(forbidden);
}

export function isXmlName(text: string): boolean {
  return name.test(text);
}
