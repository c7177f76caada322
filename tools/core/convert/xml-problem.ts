/** The state of the parser at a mistake. Offsets are in UTF-16 code units from 0. */
export interface XmlMistake {
  readonly text: string;
  /** The message of the parser, without a position. */
  readonly message: string;
  /** Offset at which the parser stopped. */
  readonly at: number;
  /** Offset of the innermost element that has no end. */
  readonly open: number | undefined;
}

/** An explanation of a mistake, and the offset at which it begins. */
export interface XmlProblem {
  readonly problem: string;
  readonly at: number;
  /** The reason why the document was not read: it may be well-formed. */
  readonly unread?: 'definition' | 'depth';
}

type Explanation = (mistake: XmlMistake) => XmlProblem;

/** Explanations by the beginning of the parser's message. */
const explanations: readonly (readonly [message: string, explanation: Explanation])[] = [
  ['Unterminated reference', behind('&', () => '"&" stands for nothing: write a plain & as &amp;')],
  [
    "Named entity isn't defined",
    ({ message, at }) => ({ problem: `"${lastWord(message)}" stands for nothing: write a plain & as &amp;`, at }),
  ],
  ['Invalid character reference', behind('&', (name) => `"${name}" is no character that XML allows`)],
  ['Character reference', behind('&', (name) => `"${name}" is no character that XML allows`)],
  ['Unescaped `<`', ({ at }) => ({ problem: '"<" in the value of an attribute: write &lt;', at })],
  ['Element content may not', ({ at }) => ({ problem: '"]]>" in a text: write ]]&gt;', at })],
  ['Missing end tag for element', inElement],
  ['Extra content at the end', outside],
  ['Root element is missing', outside],
  ['The string `--`', behind('<!--', () => '"--" inside of a comment')],
  ['Unclosed comment', behind('<!--', unfinished)],
  ['Unclosed CDATA section', behind('<![CDATA[', unfinished)],
  ['Unterminated processing instruction', behind('<?', unfinished)],
  ['Invalid processing instruction', ({ at }) => ({ problem: 'an instruction without a target', at })],
  ['Whitespace is required after', behind('<?', () => 'expected white space behind the name of an instruction')],
  ["XML declaration isn't allowed", ({ at }) => ({ problem: 'the XML declaration is allowed at the very beginning only', at })],
  ['Attribute value expected', ({ at }) => ({ problem: 'expected = and a quoted value for the attribute', at })],
  ['Duplicate attribute', duplicate],
  ['Unclosed attribute', behind('<', unfinished)],
  ['Unclosed start tag', inTag],
  ['Unclosed end tag', inTag],
];

/** Returns an explanation of a mistake and its offset. A message of the parser without one stays as it is. */
export function explainXmlMistake(mistake: XmlMistake): XmlProblem {
  const [, explanation] = explanations.find(([message]) => mistake.message.startsWith(message)) ?? [];
  return explanation?.(mistake) ?? { problem: mistake.message, at: mistake.at };
}

/** Explains a mistake in something that begins with this mark, before the place at which the parser stopped. */
function behind(mark: string, problemOf: (written: string) => string): Explanation {
  return ({ text, at: end }) => {
    const at = Math.max(0, text.lastIndexOf(mark, end - 1));
    return { problem: problemOf(text.slice(at, end)), at };
  };
}

function unfinished(): string {
  return 'no end for what begins here';
}

function inTag(mistake: XmlMistake): XmlProblem {
  if (mistake.at >= mistake.text.length) return behind('<', unfinished)(mistake);
  return { problem: 'expected white space between attributes, or the end of the tag', at: mistake.at };
}

function duplicate({ text, message, at: end }: XmlMistake): XmlProblem {
  const name = lastWord(message);
  const quote = text.lastIndexOf(text[end - 1] ?? '', end - 2);
  return { problem: `the attribute "${name}" is there twice`, at: text.lastIndexOf(name, quote) };
}

function inElement(mistake: XmlMistake): XmlProblem {
  const { text, message, at, open } = mistake;
  const name = lastWord(message);
  if (text.startsWith(']]>', at)) return { problem: '"]]>" in a text: write ]]&gt;', at };
  if (text.startsWith('</', at)) return { problem: `expected the end of "${name}" first`, at };
  return misplaced(mistake) ?? { problem: `no end for "${name}"`, at: open ?? at };
}

/** Explains text or markup before or behind the root element. */
function outside(mistake: XmlMistake): XmlProblem {
  const { text, at } = mistake;
  if (at >= text.length) return { problem: 'no root element', at: 0 };
  const [, closed] = /^<\/([^\s<>]{0,100})/.exec(text.slice(at, at + 110)) ?? [];
  if (closed !== undefined) return { problem: `"${closed}" is not open`, at };
  if (text.startsWith('<![CDATA[', at) || text[at] !== '<') return { problem: 'text outside of the root element', at };
  const isSecond = mistake.message.startsWith('Extra') && /[\p{L}_:]/u.test(text[at + 1] ?? '');
  return isSecond ? { problem: 'a second root element', at } : (misplaced(mistake) ?? { problem: 'no root element', at });
}

function misplaced({ text, at }: XmlMistake): XmlProblem | undefined {
  if (text.startsWith('<!DOCTYPE', at)) return { problem: 'the DOCTYPE must stand before the root element, and once', at };
  if (text.startsWith('<!', at)) return { problem: 'a declaration out of place', at };
  return text[at] === '<' ? { problem: 'no name behind "<": write a plain < as &lt;', at } : undefined;
}

function lastWord(message: string): string {
  return message.split(' ').at(-1) ?? '';
}
