import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importsIn } from './imports.ts';

/** Constructs that work on a text for longer, or deeper, than its length says. */
const constructs: Readonly<Record<string, RegExp>> = {
  'a RegExp made by a call': /\bRegExp\(/,
  'String.normalize': /\.normalize\(/,
  'a segmenter': /\bIntl\.Segmenter\(/,
  decompression: /\b(?:gunzip|inflate|unzip|brotliDecompress|createGunzip|createInflate\w*|createUnzip|createBrotliDecompress)\b/,
  'a schema of the caller': /\bcheckValue\(/,
};

/** A pattern that stands in the module, and is compiled before any call. */
const ownPattern = /^(?:export )?const \w+(?:: [^=]+)? = new RegExp\(/gm;

const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The module of a task: `inThread('./work.ts#run', …)`, also where the text reaches the call in another way. */
const task = /'(\.\/[^'#]+\.ts)#\w+'/g;

export interface Reach {
  /** Libraries and constructs that a text could reach, each with a module that has it. */
  readonly parsers: ReadonlyMap<string, string>;
  /** Modules that run in worker threads (`inThread`), from the working directory on. */
  readonly threads: readonly string[];
}

/**
 * Walks all that a module imports, types left out, and finds what of it parses texts: every package that is no part of Node, and the constructs above.
 * What a module gives to a worker thread or a child process is not walked; the kernel is not either. `folder`: that of the definition.
 */
export async function reachOf(entry: string, folder: string): Promise<Reach> {
  const parsers = new Map<string, string>();
  const threads = new Set<string>();
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file) || file.startsWith('kernel/')) return;
    seen.add(file);
    const text = await readFile(file, 'utf8');
    const code = text.replaceAll(comment, '').replaceAll(ownPattern, '');
    for (const [name, form] of Object.entries(constructs)) if (form.test(code)) parsers.set(name, file);
    if (code.includes('inThread'))
      for (const [, module = ''] of code.matchAll(task)) threads.add(path.relative('.', path.resolve(folder, module)));
    for (const { to, isType } of importsIn(text, file)) {
      if (isType || to.startsWith('node:')) continue;
      if (to.endsWith('.ts')) await visit(to);
      else parsers.set(to, file);
    }
  };
  await visit(entry);
  return { parsers, threads: [...threads] };
}
