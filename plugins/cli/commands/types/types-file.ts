import type { Tool } from '../../../../kernel/index.ts';

/** Types of tools for one language, as a file. */
export interface TypesFile {
  /** How the file begins; one that begins otherwise is somebody's own. */
  readonly firstLine: string;
  /** Where it is written unless another file is named. */
  readonly usualFile: string;
  /** The whole file. */
  textOf(tools: readonly Tool[]): string;
}
