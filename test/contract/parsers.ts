import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importsIn } from './imports.ts';

/** Constructs that work on a text for longer, or deeper, than its length says: a caller's text must not reach them in the server. */
const constructs: Readonly<Record<string, RegExp>> = {
  'a RegExp made at run time': /\bRegExp\(/,
  'String.normalize': /\.normalize\(/,
  'a grapheme segmenter': /\bSegmenter\(|\bsegmentsOf\(/,
  decompression: /\b(?:gunzip|inflate|unzip|brotliDecompress|createGunzip|createInflate\w*|createBrotliDecompress)\b/,
  'a schema of the caller': /\bcheckValue\(/,
  'YAML of definitions': /\byaml-library\b/,
};

/** Modules of ours that load a module elsewhere, by a text: `inThread('./plan.ts#plan', …)`. */
const elsewhere = /\b(inThread|inChild)\(\s*'(\.\/[^'#]+)#?\w*'|'(\.\/[^'#]+\.ts)#\w+'/g;

export interface Reached {
  /** Libraries and constructs, each with the module that has it. */
  readonly parsers: ReadonlyMap<string, string>;
  /** Modules that run in a worker thread or a child process. */
  readonly given: readonly { readonly by: 'inThread' | 'inChild' | 'unknown'; readonly module: string }[];
}

/** Walks all that a module of a handler imports, types left out, and says by which of it texts can be parsed. The kernel itself is not walked. */
export async function parsersReachedFrom(entry: string): Promise<Reached> {
  const parsers = new Map<string, string>();
  const given: Reached['given'][number][] = [];
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file) || file.startsWith('kernel/')) return;
    seen.add(file);
    const text = await readFile(file, 'utf8');
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const [name, form] of Object.entries(constructs)) if (form.test(code)) parsers.set(name, file);
    for (const { to, isType } of importsIn(text, file)) {
      if (isType) continue;
      if (to.endsWith('.ts')) await visit(to);
      else if (!to.startsWith('node:')) parsers.set(to, file);
    }
  };
  await visit(entry);
  return { parsers, given };
}
export { elsewhere, path };
