import { positionAt } from '../json/bad-text.ts';
import { readXml } from './read-xml.ts';
import type { XmlProblem } from './xml-problem.ts';

/** Thrown at the first problem: the others only follow from it. */
class FirstProblem extends Error {
  readonly text: string | undefined;

  constructor({ problem, at, unread }: XmlProblem, text: string) {
    super(problem);
    const { line, column } = positionAt(text, at);
    this.text = unread === undefined ? `line ${line}, column ${column}: ${problem.slice(0, 200)}` : undefined;
  }
}

/** Maximum levels of elements. Feeds and sitemaps with more are refused before. */
const maxDepth = 500;

/**
 * Returns the first problem of XML that a lenient parser accepted, with its place, as in `line 3, column 7: no end for "b"`. Undefined for
 * well-formed text, and for a text with a document type definition or too many levels, which is not read.
 */
export function findMalformedXml(text: string): string | undefined {
  try {
    readXml(text, {
      maxDepth,
      refuse: (found, read) => {
        throw new FirstProblem(found, read);
      },
    });
    return undefined;
  } catch (error) {
    if (error instanceof FirstProblem) return error.text;
    throw error;
  }
}
