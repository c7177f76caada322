import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';

export interface Import {
  readonly from: string;
  /** A file of ours from the working directory on, else what is imported as it is written. */
  readonly to: string;
  readonly isType: boolean;
}

/** `import … from`, `export … from`, `import '…'`, `import('…')`, also of a type, and `require('…')`, also one that was just made. */
const forms =
  /(?:^|\n)(?:import|export)\b(\s+type\b)?[^;'"]*?\bfrom\s+'([^'$]+)'|(?:^|\n)import\s+'([^'$]+)'|\bimport\(\s*'([^'$]+)'|\b(?:require|createRequire\([\w.]+\))\('([^'$]+)'\)/g;

/** Returns the imports in the text of a file, in their order. */
export function importsIn(text: string, file: string): readonly Import[] {
  return [...text.matchAll(forms)].map((match) => {
    const specifier = match.slice(2).find((part) => part !== undefined) ?? '';
    const to = specifier.startsWith('.') ? path.relative('.', path.resolve(path.dirname(file), specifier)) : specifier;
    return { from: file, to, isType: match[1] !== undefined };
  });
}

/** Returns the imports of these files, in the order of their names, without installed packages and compiled tools. */
export async function importsOf(...patterns: readonly string[]): Promise<readonly Import[]> {
  const files = await glob([...patterns], { ignore: ['**/node_modules/**', 'tools/*/*.js'] });
  const found = await Promise.all(files.sort().map(async (file) => importsIn(await readFile(file, 'utf8'), file)));
  return found.flat();
}
