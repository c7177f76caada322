import { parseXml, type XmlElement, XmlError } from '@rgrove/parse-xml';
import { findForbiddenCharacter } from './xml-characters.ts';
import { xmlDepth } from './xml-depth.ts';
import { explainXmlMistake, type XmlProblem } from './xml-problem.ts';
import { checkProlog } from './xml-prolog.ts';

export interface XmlOptions {
  /** Maximum number of elements inside one another: the parser calls itself for each. */
  readonly maxDepth: number;
  /** Called at the first mistake, at a document type definition, and at too many levels. `text` has LF as its only line end. */
  readonly refuse: (found: XmlProblem, text: string) => never;
}

const version11 = /^<\?xml\s+version\s*=\s*["']1\.1["']/;

/** Matches line ends, each of which counts as one LF (XML 1.0 and 1.1, 2.11). */
const lineEnd = /\r\n?/g;
const lineEnd11 = /\r[\n\u0085]?|[\u0085\u2028]/g;

/** Matches a character that XML 1.1 allows as a reference only, beside those that XML 1.0 never allows. */
const restricted = /[\x7F-\x84\x86-\x9F]/;

/** Matches markup without references, or a reference to a control character, which XML 1.1 allows (4.1). */
const controlReference =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|&#(?=(?:0*(?:[1-8]|1[1245-9]|2\d|3[01])|x0*(?:[1-8BbCcEeFf]|1[\dA-Fa-f]));)/g;

export interface XmlRoot {
  readonly root: XmlElement;
  /** The document, with LF as its only line end. Offsets are those of this text. */
  readonly text: string;
}

/** Reads a document of XML 1.0 or 1.1. Only the five references of XML itself are replaced, and nothing is read from elsewhere. */
export function readXml(written: string, { maxDepth, refuse: refuseIn }: XmlOptions): XmlRoot {
  const is11 = version11.test(written);
  const text = written.replace(is11 ? lineEnd11 : lineEnd, '\n');
  const refuse = (found: XmlProblem): never => refuseIn(found, text);
  const start = checkProlog(text, refuse);
  const { deepest, open } = xmlDepth(text, start);
  if (deepest > maxDepth) refuse({ problem: 'elements are nested too deeply', at: start, unread: 'depth' });
  const forbidden = findForbiddenCharacter(text);
  const at = forbidden < 0 && is11 ? text.search(restricted) : forbidden;
  if (at >= 0) refuse({ problem: 'a character that XML does not allow', at });
  try {
    const document = is11 && !text.includes('&_') ? parse11(text) : parseXml(text, { includeOffsets: true });
    return { root: document.root as XmlElement, text };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const [message = ''] = error.message.split(/ \(line \d+, column \d+\)\n/);
    return refuse(explainXmlMistake({ text, message, at: unitsOf(text, error.pos), open }));
  }
}

/** Parses XML 1.1: a reference to a control character goes to the parser as an entity of the same length. */
function parse11(text: string): ReturnType<typeof parseXml> {
  return parseXml(
    text.replace(controlReference, (found) => (found === '&#' ? '&_' : found)),
    {
      includeOffsets: true,
      resolveUndefinedEntity: (reference) => {
        const [, hex, decimal] = /^&_(?:x([\dA-Fa-f]+)|(\d+));$/.exec(reference) ?? [];
        if (hex === undefined && decimal === undefined) return undefined;
        return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
      },
    },
  );
}

/** Converts an offset in characters to one in UTF-16 code units. */
function unitsOf(text: string, characters: number): number {
  let units = 0;
  for (let count = 0; count < characters && units < text.length; count += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}
