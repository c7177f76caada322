/** The state of a parser at a mistake. Offsets are in UTF-16 code units from 0. */
export interface XmlMistake {
  /** The parsed text. */
  readonly text: string;
  /** The message of the parser, without a position. */
  readonly message: string;
  /** Offset after the last character that was read. */
  readonly end: number;
  /** Name of the element that was closed last. */
  readonly closed: string;
  /** Offset at which the innermost open element begins. */
  readonly open: number;
}

/** An explanation of a mistake, and the offset at which it begins. */
export interface XmlProblem {
  readonly problem: string;
  readonly at: number;
  /** True for a document type definition: the document may be well-formed. */
  readonly isDefinition?: true;
}

/** Explanations by the message of the parser. */
const explanations: Readonly<Record<string, (mistake: XmlMistake) => XmlProblem>> = {
  'undefined entity.': unknownReference,
  'disallowed character in entity name.': unknownReference,
  'empty entity name.': unknownReference,
  'malformed character entity.': ({ text, end }) => {
    const at = text.lastIndexOf('&', end);
    return { problem: `"${text.slice(at, end)}" is no character that XML allows`, at };
  },
  'disallowed character.': ({ text, end }) => {
    const isTag = text[end - 1] === '<';
    return { problem: isTag ? '"<" in the value of an attribute: write &lt;' : 'a character that XML does not allow', at: end - 1 };
  },
  'the string "]]>" is disallowed in char data.': ({ end }) => ({ problem: '"]]>" in a text: write ]]&gt;', at: end - 3 }),
  'text data outside of root node.': ({ text, end }) => {
    const before = text.lastIndexOf('>', end - 1) + 1;
    return { problem: 'text outside of the root element', at: before + Math.max(0, text.slice(before, end).search(/[^ \t\r\n]/)) };
  },
  'disallowed character in tag name': (mistake) => inTag(mistake, 'no name behind "<": write a plain < as &lt;'),
  'documents may contain only one root.': (mistake) => inTag(mistake, 'a second root element'),
  'unexpected close tag.': (mistake) => inTag(mistake, `expected the end of "${mistake.closed}" first`),
  'malformed comment.': ({ text, end }) => ({ problem: '"--" inside of a comment', at: text.lastIndexOf('<!--', end - 4) }),
  'incorrect syntax.': ({ text, end }) => ({ problem: 'a declaration out of place', at: text.lastIndexOf('<!', end - 2) }),
  'inappropriately located doctype declaration.': (mistake) => inTag(mistake, 'the DOCTYPE must stand before the root element, and once'),
  'an XML declaration must be at the start of the document.': (mistake) =>
    inTag(mistake, 'the XML declaration is allowed at the very beginning only'),
  'expected one of version': ({ end }) => ({ problem: 'expected a version in the XML declaration', at: end - 1 }),
  'document must contain a root element.': (mistake) => {
    const isUnfinished = mistake.text.lastIndexOf('<') > mistake.text.lastIndexOf('>');
    return isUnfinished ? unfinished(mistake) : (findStray(mistake) ?? { problem: 'no root element', at: 0 });
  },
  'unexpected end.': unfinished,
};

/** Returns an explanation of a mistake and its offset. A message of the parser that is clear stays as it is. */
export function explainXmlMistake(mistake: XmlMistake): XmlProblem {
  const { message, end, open } = mistake;
  if (message.startsWith('unclosed tag:')) return findStray(mistake) ?? { problem: `no end for "${lastWord(message)}"`, at: open };
  if (message.startsWith('unmatched closing tag:')) return inTag(mistake, `"${lastWord(message)}" is not open`);
  return explanations[message]?.(mistake) ?? { problem: message, at: Math.max(0, end - 1) };
}

function inTag({ text, end }: XmlMistake, problem: string): XmlProblem {
  return { problem, at: text.lastIndexOf('<', end - 1) };
}

function unfinished(mistake: XmlMistake): XmlProblem {
  return findStray(mistake) ?? inTag(mistake, 'no end for what begins here');
}

function unknownReference(mistake: XmlMistake): XmlProblem {
  const { text, end } = mistake;
  const at = text.lastIndexOf('&', end);
  return findStray(mistake) ?? { problem: `"${text.slice(at, end)}" stands for nothing: write a plain & as &amp;`, at };
}

/** Returns the problem for a document type definition that begins at an offset. */
export function documentTypeProblem(at: number): XmlProblem {
  const problem = 'a document type definition, of which nothing is read. Take out the part in [ ] and write its entities as text';
  return { problem, at, isDefinition: true };
}

/** Matches comments, CDATA sections and instructions, the last possibly unclosed, and captures a declaration or a plain ampersand between them. */
const strayMarkup = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|(<!DOCTYPE)[^>]*|(&)(?![^\s&;<>"']+;)|(<!)/g;

/** Matches a DOCTYPE up to the definition inside it. */
const definition = /<!DOCTYPE(?:"[^"]*"|'[^']*'|[^>"'[])*\[/y;

/** Finds the first `&` or `<!` that the parser takes for the beginning of something longer, up to the next semicolon or the end. */
function findStray({ text, end }: XmlMistake): XmlProblem | undefined {
  let isFirst = true;
  for (const { 1: doctype, 2: ampersand, 3: declaration, index } of text.slice(0, end).matchAll(strayMarkup)) {
    if (doctype !== undefined && isFirst) {
      isFirst = false;
      definition.lastIndex = index;
      if (definition.test(text)) return documentTypeProblem(index);
    }
    if (ampersand !== undefined) return { problem: '"&" stands for nothing: write a plain & as &amp;', at: index };
    if (declaration !== undefined) return { problem: 'a declaration out of place', at: index };
  }
  return undefined;
}

function lastWord(message: string): string {
  return message.replace(/\.$/, '').split(' ').at(-1) ?? '';
}
