/** The state of a parser when it found a mistake. Offsets are in UTF-16 code units from 0. */
export interface XmlMistake {
  /** The text that is parsed. */
  readonly text: string;
  /** The words of the parser, without a place. */
  readonly says: string;
  /** Behind the last character that was read. */
  readonly end: number;
  /** The name of the element that was closed last. */
  readonly closed: string;
  /** Position at which the innermost open element begins. */
  readonly open: number;
}

/** A mistake in words, and where it begins. */
export interface XmlProblem {
  readonly problem: string;
  readonly at: number;
  /** It is a document type definition: the document may be well-formed. */
  readonly isDefinition?: true;
}

/** Explanations by the words of the parser. */
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
    return isUnfinished ? unfinished(mistake) : (stray(mistake) ?? { problem: 'no root element', at: 0 });
  },
  'unexpected end.': unfinished,
};

/** Returns the mistake in words, and where it begins. Words of the parser that say enough stay as they are. */
export function xmlProblem(mistake: XmlMistake): XmlProblem {
  const { says, end, open } = mistake;
  if (says.startsWith('unclosed tag:')) return stray(mistake) ?? { problem: `no end for "${lastWord(says)}"`, at: open };
  if (says.startsWith('unmatched closing tag:')) return inTag(mistake, `"${lastWord(says)}" is not open`);
  return explanations[says]?.(mistake) ?? { problem: says, at: Math.max(0, end - 1) };
}

function inTag({ text, end }: XmlMistake, problem: string): XmlProblem {
  return { problem, at: text.lastIndexOf('<', end - 1) };
}

function unfinished(mistake: XmlMistake): XmlProblem {
  return stray(mistake) ?? inTag(mistake, 'no end for what begins here');
}

function unknownReference(mistake: XmlMistake): XmlProblem {
  const { text, end } = mistake;
  const at = text.lastIndexOf('&', end);
  return stray(mistake) ?? { problem: `"${text.slice(at, end)}" stands for nothing: write a plain & as &amp;`, at };
}

/** Says that there is a document type definition, whose beginning is at an offset. */
export function definitionAt(at: number): XmlProblem {
  const problem = 'a document type definition, of which nothing is read. Take out the part in [ ] and write its entities as text';
  return { problem, at, isDefinition: true };
}

/** Comments and the like, of which the last may have no end, and what is found between them: a plain ampersand, or a declaration. */
const strays = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|(<!DOCTYPE)[^>]*|(&)(?![^\s&;<>"']+;)|(<!)/g;

/** A DOCTYPE up to the definition in it. */
const definition = /<!DOCTYPE(?:"[^"]*"|'[^']*'|[^>"'[])*\[/y;

/** The first thing that the parser takes for the beginning of something longer: it reads on, up to the next semicolon or to the end. */
function stray({ text, end }: XmlMistake): XmlProblem | undefined {
  let isFirst = true;
  for (const { 1: doctype, 2: ampersand, 3: declaration, index } of text.slice(0, end).matchAll(strays)) {
    if (doctype !== undefined && isFirst) {
      isFirst = false;
      definition.lastIndex = index;
      if (definition.test(text)) return definitionAt(index);
    }
    if (ampersand !== undefined) return { problem: '"&" stands for nothing: write a plain & as &amp;', at: index };
    if (declaration !== undefined) return { problem: 'a declaration out of place', at: index };
  }
  return undefined;
}

function lastWord(says: string): string {
  return says.replace(/\.$/, '').split(' ').at(-1) ?? '';
}
