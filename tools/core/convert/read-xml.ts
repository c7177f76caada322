import { SaxesParser } from 'saxes';
import { isXmlName } from './xml-characters.ts';
import { documentTypeProblem, explainXmlMistake, type XmlProblem } from './xml-problem.ts';

/** Callbacks for the parts of a document, in document order. Offsets are in UTF-16 code units from 0. */
export interface XmlParts {
  /** Called at the start of an element. Its attributes follow. */
  open(name: string, at: number): void;
  attribute(name: string, value: string): void;
  /** Called for text and CDATA sections, also for text between elements. References are already replaced by characters. */
  text(text: string): void;
  close(): void;
}

/** Matches a document type declaration without definitions (XML 1.0, 2.8, 4.2.2), after `<!DOCTYPE`. */
const literal = `(?:"[^"]*"|'[^']*')`;
const publicLiteral = `(?:"[ \\r\\n\\w'()+,./:=?;!*#@$%-]*"|'[ \\r\\n\\w()+,./:=?;!*#@$%-]*')`;
const doctype = new RegExp(`^\\s+([^\\s"'<>]+)(?:\\s+(?:SYSTEM|PUBLIC\\s+${publicLiteral})\\s+${literal})?\\s*$`);

/** Reads a document of XML 1.0 or 1.1. Calls `refuse` at the first problem, and at a document type definition, which is never read. */
export function readXml(text: string, parts: XmlParts, refuse: (found: XmlProblem) => never): void {
  // The parser would combine half of a surrogate pair with the next character.
  const surrogate = text.search(/\p{Surrogate}/u);
  if (surrogate >= 0) refuse({ problem: 'a character that XML does not allow', at: surrogate });
  const parser = new SaxesParser({ position: false });
  const open: number[] = [];
  let closed = '';
  let names = new Set<string>();
  parser.on('error', ({ message }) =>
    refuse(explainXmlMistake({ text, message: message, end: parser.position, closed, open: open.at(-1) ?? 0 })),
  );
  parser.on('doctype', (written) => {
    const at = text.lastIndexOf('<!DOCTYPE', parser.position - written.length);
    if (written.replace(/"[^"]*"|'[^']*'/g, '').includes('[')) refuse(documentTypeProblem(at));
    const name = doctype.exec(written)?.[1];
    if (name === undefined || !isXmlName(name))
      refuse({ problem: 'expected a name, and no more than SYSTEM or PUBLIC with quoted addresses, in the DOCTYPE', at });
  });
  parser.on('processinginstruction', ({ target, body }) => {
    // The parser takes a ? after the target for the beginning of the body.
    const at = text.lastIndexOf(`<?${target}`, parser.position - body.length - 2);
    const next = at + 2 + target.length;
    if (text[next] === '?' && text[next + 1] !== '>') refuse({ problem: 'expected white space behind the name of an instruction', at });
  });
  parser.on('opentagstart', ({ name }) => {
    const at = parser.position - name.length - 2;
    open.push(at);
    names = new Set();
    parts.open(name, at);
  });
  parser.on('attribute', ({ name, value }) => {
    if (names.has(name)) refuse({ problem: `the attribute "${name}" is there twice`, at: nameBefore(text, name, parser.position) });
    names.add(name);
    parts.attribute(name, value);
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    closed = name;
    parts.close();
  });
  parser.on('text', (written) => parts.text(written));
  parser.on('cdata', (written) => parts.text(written));
  parser.write(text).close();
}

/** Finds the name of the attribute whose value ends before `end`, with its quote. */
function nameBefore(text: string, name: string, end: number): number {
  return text.lastIndexOf(name, text.lastIndexOf(text[end - 1] ?? '', end - 2));
}
