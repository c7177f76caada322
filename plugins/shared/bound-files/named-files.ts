import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type ControlFiles, type IdentityPart, normalizeText } from '../../../kernel/index.ts';
import { isInside } from '../project/is-inside.ts';
import { fileIdentity } from './file-identity.ts';
import { newReadBudget } from './read-budget.ts';

export interface NamedFilesRequest {
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** Other texts passed to the program, such as values of its environment. */
  readonly texts?: readonly string[];
  /** Absolute folder that relative names start from. */
  readonly cwd: string;
  readonly controlFiles: ControlFiles;
  readonly signal: AbortSignal;
}

/** Maximum words of a call that are looked up on disk. The approval question says when there are more. */
const maxWords = 20_000;

/** Maximum length of a file name (PATH_MAX of Linux). */
const maxNameLength = 4096;

/** Separators of names in a text: blanks, quotes, shell and flag syntax, and path separators of lists. */
const between = /[\s'"`=;|&<>(){}[\],:@$]+/;

/**
 * Finds files and folders that a program's arguments name anywhere (`--file=run.py`, `-frun.py`, `sh -c "python3 run.py"`, `python3 -m
 * run`), with their current state. Folders below the working directory count with all they contain, other folders by device and inode.
 * Keys are paths relative to the working directory. A file that does not exist yet is not found.
 */
export async function namedFiles({
  args,
  texts = [],
  cwd,
  controlFiles,
  signal,
}: NamedFilesRequest): Promise<Record<string, IdentityPart>> {
  const words = new Set([...args, ...texts].flatMap(wordsOf).filter((word) => word !== '' && word.length <= maxNameLength));
  const known = [...words].slice(0, maxWords);
  const besides = new ModuleNames(cwd);
  const found = new Set<string>();
  for (const word of known) {
    signal.throwIfAborted();
    for (const name of await besides.namesFor(word)) found.add(path.resolve(cwd, name));
  }
  const budget = newReadBudget();
  const real = await realpath(cwd).catch(() => cwd);
  const files = new Map<string, IdentityPart>();
  for (const file of found) {
    const target = await realpath(file).catch(() => file);
    const binds = target !== real && isInside(target, real) ? 'content' : 'place';
    files.set(path.relative(cwd, file) || '.', await fileIdentity(target, { binds, controlFiles, signal, budget }));
  }
  if (words.size > maxWords) files.set('', { shown: `names after the first ${maxWords} words: not looked for` });
  return Object.fromEntries(files);
}

/** Returns the working directory of a program: its real path, with device and inode. */
export async function folderIdentity(folder: string): Promise<IdentityPart> {
  const shown = await realpath(folder).catch(() => folder);
  const stats = await lstat(shown).catch(() => undefined);
  return stats === undefined ? { shown } : { shown, state: `${stats.dev}:${stats.ino}` };
}

/** Splits an argument: the argument itself, its words, and each word without a leading short flag. */
function wordsOf(text: string): readonly string[] {
  const words = text.split(between);
  return [text, ...words, ...words.flatMap((word) => (/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []))];
}

/** Finds the file names that a word may mean: the word itself, else files with that name and an extension, as interpreters find modules. */
class ModuleNames {
  readonly #cwd: string;
  readonly #listings = new Map<string, Promise<readonly string[]>>();
  /** Folded names in the working directory, with and without extension. Most words match none and need no further lookup. */
  #heads: Promise<ReadonlySet<string>> | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  async namesFor(word: string): Promise<readonly string[]> {
    if (word.includes('\0') || !(await this.#mayBeThere(word))) return [];
    if (await isThere(path.resolve(this.#cwd, word))) return [word];
    if (!/^\.?[\w./-]*\w$/.test(word)) return [];
    const spellings = [...new Set([word, word.replaceAll('.', '/')])];
    const found = await Promise.all(spellings.map((spelling) => this.#endings(spelling)));
    return found.flat();
  }

  async #mayBeThere(word: string): Promise<boolean> {
    const [head = ''] = word.split(/[\\/]/);
    if (['', '.', '..'].includes(head) || /^[A-Za-z]$/.test(head)) return true;
    this.#heads ??= namesIn(this.#cwd).then((names) => new Set(names.flatMap((name) => [folded(name), folded(withoutEnding(name))])));
    const heads = await this.#heads;
    return heads.has(folded(head)) || heads.has(folded(head.split('.')[0] ?? ''));
  }

  /** Finds names with an optional extension: `lib/run` finds `lib/run.py`, `lib` finds a folder. */
  async #endings(name: string): Promise<readonly string[]> {
    const folder = path.resolve(this.#cwd, path.dirname(name));
    const names = this.#listings.get(folder) ?? (this.#listings.size < 100 ? namesIn(folder) : Promise.resolve([]));
    this.#listings.set(folder, names);
    const base = path.basename(name);
    const isEnding = (other: string): boolean =>
      other === base || (other.startsWith(`${base}.`) && !other.slice(base.length + 1).includes('.'));
    return (await names).filter(isEnding).map((other) => path.join(path.dirname(name), other));
  }
}

/** Normalizes a name as the most tolerant file system compares names. */
function folded(name: string): string {
  return normalizeText(name, 'NFC').toLowerCase();
}

function withoutEnding(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
