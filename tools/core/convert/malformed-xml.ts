import { placeAt } from '../json/bad-text.ts';
import { readXml } from './read-xml.ts';
import type { XmlProblem } from './xml-problem.ts';

/** Thrown at the first problem, of which the rest only follows. */
class FirstProblem extends Error {
  readonly found: XmlProblem;

  constructor(found: XmlProblem) {
    super(found.problem);
    this.found = found;
  }
}

const ignored = { open: () => {}, attribute: () => {}, text: () => {}, close: () => {} };

/**
 * Returns where XML that was read all the same is not well-formed, and how, as in `line 3, column 7: no end for "b"`. Undefined for what is
 * well-formed, and for a text with a document type definition, of which nothing is read.
 */
export function malformedAt(text: string): string | undefined {
  try {
    readXml(text, ignored, (found) => {
      throw new FirstProblem(found);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof FirstProblem)) throw error;
    const { problem, at, isDefinition } = error.found;
    const { line, column } = placeAt(text, at);
    return isDefinition === true ? undefined : `line ${line}, column ${column}: ${problem.slice(0, 200)}`;
  }
}
