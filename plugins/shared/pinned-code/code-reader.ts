import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CodeFile, PinnedCode } from '../../../kernel/index.ts';
import { changeTimes, pin, pinContent, realPathPart } from './code-file.ts';
import { isInstalled } from './installed.ts';

/** Maximum bytes of source. A larger file counts as data: it is pinned by its times of change, and not searched for imports. */
const maxSourceBytes = 4 * 1024 * 1024;

interface SourceFile {
  /** Real path. */
  readonly file: string;
  readonly text: string;
  readonly pinned: CodeFile;
}

/** Collects the files of one tool's code. Each file is read once for all tools of a discovery. */
export class CodeReader {
  readonly #reads: Map<string, unknown>;
  readonly #files = new Map<string, CodeFile>();
  readonly #reserved = new Set<string>();
  readonly #visited = new Set<string>();
  readonly #isOutside: (file: string) => boolean;

  /** `isOutside`: true for files that are not followed. */
  constructor(reads: Map<string, unknown>, isOutside: (file: string) => boolean = isInstalled) {
    this.#reads = reads;
    this.#isOutside = isOutside;
  }

  get code(): PinnedCode {
    return { files: [...this.#files.values()], reserved: [...this.#reserved] };
  }

  /** Returns the source of a file on its first visit. Undefined for later visits, code of packages, and unreadable files. */
  open(file: string, { isEntry = false }: { readonly isEntry?: boolean } = {}): SourceFile | undefined {
    if (this.#visited.has(file)) return undefined;
    this.#visited.add(file);
    const source = this.#once(`source ${file}`, () => readSource(file));
    if (source === undefined || this.#isOutside(source.file)) return undefined;
    if (!isEntry) {
      this.#add(source.pinned);
      this.pin(file, realPathPart);
    }
    // A link that leads elsewhere later is another file at the same path.
    if (source.file !== file) {
      if (!isEntry) this.#add({ ...source.pinned, file: file });
      if (this.#visited.has(source.file)) return undefined;
      this.#visited.add(source.file);
    }
    return source;
  }

  /** Pins a file or a part of it; it may also be missing. */
  pin(file: string, part?: string): void {
    if (!this.#isOutside(file)) this.#add(this.#once(`pin ${file} ${part}`, () => pin(file, part)));
  }

  /** Returns the SHA-256 of a file's content, in hex; empty when it cannot be read. */
  hashOf(file: string): string {
    const source = this.#once(`source ${file}`, () => readSource(file));
    if (source !== undefined && source.pinned.part === undefined) return source.pinned.sha256;
    return this.#once(`pin ${file} undefined`, () => pin(file))?.sha256 ?? '';
  }

  reserve(file: string): void {
    this.#reserved.add(file);
  }

  isFile(file: string): boolean {
    return this.#kindOf(file) === 'file';
  }

  isFolder(folder: string): boolean {
    return this.#kindOf(folder) === 'folder';
  }

  /** Returns the real path; undefined when nothing exists there, and for code of packages. */
  real(file: string): string | undefined {
    const real = this.#once(`real ${file}`, () => realpathSync(file));
    return real === undefined || this.#isOutside(real) ? undefined : real;
  }

  /** Reads a text that is searched, but not pinned as a whole. */
  textOf(file: string): string | undefined {
    // Own text: code, in which imports are looked for as Node reads it
    return this.#once(`text ${file}`, () => readFileSync(file, 'utf8'));
  }

  /** Reads the first characters of a file; empty when it cannot be read. */
  startOf(file: string): string {
    return this.#once(`start ${file}`, () => readStart(file)) ?? '';
  }

  /** Finds the nearest file of this name in a folder or above. Pins every candidate on the way, missing ones too. */
  nearest(name: string, folder: string, part?: string): string | undefined {
    const file = path.join(folder, name);
    this.pin(file, part);
    if (this.isFile(file)) return file;
    const above = path.dirname(folder);
    return above === folder ? undefined : this.nearest(name, above, part);
  }

  #kindOf(place: string): 'file' | 'folder' | undefined {
    return this.#once(`kind ${place}`, () => {
      const found = statSync(place, { throwIfNoEntry: false });
      return found?.isFile() ? 'file' : found?.isDirectory() ? 'folder' : undefined;
    });
  }

  #add(file: CodeFile): void {
    this.#files.set(`${file.file} ${file.part ?? ''}`, file);
  }

  #once<T>(key: string, read: () => T): T {
    if (!this.#reads.has(key)) this.#reads.set(key, attempt(read));
    return this.#reads.get(key) as T;
  }
}

function readSource(sourcePath: string): SourceFile {
  const file = realpathSync(sourcePath);
  if (statSync(file).size > maxSourceBytes) return { file, text: '', pinned: pin(file, changeTimes) };
  const content = readFileSync(file);
  // Own text: code, in which imports are looked for as Node reads it
  return { file, text: content.toString('utf8'), pinned: pinContent(file, content) };
}

function readStart(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(256);
    return start.toString('latin1', 0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns undefined on errors: an unreadable file counts as missing. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
