import { positionAt } from '../json/bad-text.ts';
import { readXml } from './read-xml.ts';
import type { XmlProblem } from './xml-problem.ts';

/** Thrown at the first problem: the others only follow from it. */
class FirstProblem extends Error {
  readonly found: XmlProblem;

  constructor(found: XmlProblem) {
    super(found.problem);
    this.found = found;
  }
}

const ignored = { open: () => {}, attribute: () => {}, text: () => {}, close: () => {} };

/**
 * Returns the first problem of XML that a lenient parser accepted, with its place, as in `line 3, column 7: no end for "b"`. Undefined for
 * well-formed text, and for a text with a document type definition, which is not read.
 */
export function findMalformedXml(text: string): string | undefined {
  try {
    readXml(text, ignored, (found) => {
      throw new FirstProblem(found);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof FirstProblem)) throw error;
    const { problem, at, isDefinition } = error.found;
    const { line, column } = positionAt(text, at);
    return isDefinition === true ? undefined : `line ${line}, column ${column}: ${problem.slice(0, 200)}`;
  }
}
