import { readFile } from 'node:fs/promises';
import { snippetsIn } from '../e2e/readme-project.ts';

/** A block of code in a guide. */
export interface GuideBlock {
  readonly language: string;
  readonly code: string;
  /** The file that its first line names in a comment. */
  readonly file?: string;
}

/** Reads the blocks of code of a guide. */
export async function readGuide(guide: string): Promise<readonly GuideBlock[]> {
  return snippetsIn(await readFile(guide, 'utf8')).map(({ language, text: code }) => {
    const [, file] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code) ?? [];
    return { language, code, ...(file === undefined ? {} : { file }) };
  });
}

/** Returns the texts of the blocks that name a file, by file. */
export function filesOf(blocks: readonly GuideBlock[]): Readonly<Record<string, string>> {
  return Object.fromEntries(blocks.flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]])));
}
