import type { Tool } from '../../../../kernel/index.ts';

/** Generator of a file with the types of tools, for one language. */
export interface TypesFile {
  /** First line of every generated file. A file that begins otherwise is never overwritten. */
  readonly firstLine: string;
  /** Name of the file if none is given. */
  readonly defaultFile: string;
  /** Returns the text of the file. */
  textOf(tools: readonly Tool[]): string;
}
