import type { XmlProblem } from './xml-problem.ts';

/** Parts of an XML declaration in their order (XML 1.0, 2.8). The library also takes some declarations in which a part is wrong. */
const declarationParts: readonly RegExp[] = [
  /[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.\d+"|'1\.\d+')/y,
  /(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?/y,
  /(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?/y,
  /[ \t\r\n]*\?>/y,
];

/** Matches a document type declaration up to the `>`, or the `[` of a definition (XML 1.0, 2.8, 4.2.2). */
const literal = `(?:"[^"]*"|'[^']*')`;
const publicLiteral = `(?:"[ \\r\\n\\w'()+,./:=?;!*#@$%-]*"|'[ \\r\\n\\w()+,./:=?;!*#@$%-]*')`;
const doctype = new RegExp(`<!DOCTYPE\\s+[^\\s"'<>[]+(?:\\s+(?:SYSTEM|PUBLIC\\s+${publicLiteral})\\s+${literal})?\\s*`, 'y');

/** Returns the offset after the XML declaration and the document type declaration. Calls `refuse` for wrong ones, and for a definition. */
export function checkProlog(text: string, refuse: (found: XmlProblem) => never): number {
  const end = endOfDeclaration(text, refuse);
  const at = endOfMisc(text, end);
  if (!text.startsWith('<!DOCTYPE', at)) return at;
  doctype.lastIndex = at;
  const after = doctype.test(text) ? doctype.lastIndex : at;
  if (text[after] === '>') return after + 1;
  if (text[after] !== '[')
    refuse({ problem: 'expected a name, and no more than SYSTEM or PUBLIC with quoted addresses, in the DOCTYPE', at });
  const problem = 'a document type definition, of which nothing is read. Take out the part in [ ] and write its entities as text';
  return refuse({ problem, at, unread: 'definition' });
}

function endOfDeclaration(text: string, refuse: (found: XmlProblem) => never): number {
  if (!/^<\?xml[ \t\r\n?]/.test(text)) return 0;
  let at = '<?xml'.length;
  for (const pattern of declarationParts) {
    pattern.lastIndex = at;
    if (pattern.test(text)) at = pattern.lastIndex;
    else
      refuse({
        problem: 'expected <?xml version="1.0" encoding="UTF-8" standalone="yes"?>, the last two parts optional',
        at: afterSpace(text, at),
      });
  }
  return at;
}

/** Returns the offset after white space, comments and instructions. */
function endOfMisc(text: string, start: number): number {
  for (let at = start; ; ) {
    at = afterSpace(text, at);
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined;
    const found = end === undefined ? -1 : text.indexOf(end, at + 2);
    if (end === undefined || found < 0) return at;
    at = found + end.length;
  }
}

function afterSpace(text: string, start: number): number {
  const space = /[ \t\r\n]*/y;
  space.lastIndex = start;
  space.test(text);
  return space.lastIndex;
}
