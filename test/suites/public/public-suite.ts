import type { Toolkit } from '../../../plugins/toolkit/index.ts';

/** A case of a public suite, run through the tool of this project that it concerns. */
export interface SuiteCase {
  /** Names the case within its suite, and the line of a deviation. Unique in its suite. */
  readonly id: string;
  /** Returns undefined when the answer is the one that the suite gives, else how it differs. A refusal of the tool is an answer. */
  difference(toolkit: Toolkit): Promise<string | undefined>;
}

/** Reader of the cases of one public suite. */
export interface PublicSuite {
  /** Name of the file with its cases, and of the one with its lines, without `.json` and `.yaml`. */
  readonly name: string;
  /** Takes part in the limit on lines. XML does not: there the suite is mostly about DTDs, which are not read. @default true */
  readonly counts?: boolean;
  /** Returns the cases of the file, as parsed from JSON. Throws for one of another form. */
  casesOf(file: unknown): readonly SuiteCase[];
}
