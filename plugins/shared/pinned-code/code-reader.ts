import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CodeFile, PinnedCode } from '../../../kernel/index.ts';
import { changeTimes, pin, pinContent, realPlace } from './code-file.ts';
import { isInstalled } from './installed.ts';

/** Larger files are data: they are pinned by their times of change, and not searched for imports. */
const maxSourceBytes = 4 * 1024 * 1024;

interface SourceFile {
  /** Links followed. */
  readonly file: string;
  readonly text: string;
  readonly pinned: CodeFile;
}

/** The files that one tool's code was found to be made of. Each is read once for all tools of a discovery. */
export class CodeReader {
  readonly #reads: Map<string, unknown>;
  readonly #files = new Map<string, CodeFile>();
  readonly #reserved = new Set<string>();
  readonly #visited = new Set<string>();

  constructor(reads: Map<string, unknown>) {
    this.#reads = reads;
  }

  get code(): PinnedCode {
    return { files: [...this.#files.values()], reserved: [...this.#reserved] };
  }

  /** The source of a file that is here for the first time; undefined for any other, for code of packages, and where nothing can be read. */
  open(place: string, { isEntry = false }: { readonly isEntry?: boolean } = {}): SourceFile | undefined {
    if (this.#visited.has(place)) return undefined;
    this.#visited.add(place);
    const source = this.#once(`source ${place}`, () => readSource(place));
    if (source === undefined || isInstalled(source.file)) return undefined;
    if (!isEntry) {
      this.#add(source.pinned);
      this.pin(place, realPlace);
    }
    // A link that leads elsewhere later is another file at the same place.
    if (source.file !== place) {
      if (!isEntry) this.#add({ ...source.pinned, file: place });
      if (this.#visited.has(source.file)) return undefined;
      this.#visited.add(source.file);
    }
    return source;
  }

  /** Pins a file, or a part of it, that may also be missing. */
  pin(file: string, part?: string): void {
    if (!isInstalled(file)) this.#add(this.#once(`pin ${file} ${part}`, () => pin(file, part)));
  }

  reserve(place: string): void {
    this.#reserved.add(place);
  }

  isFile(place: string): boolean {
    return this.#kindOf(place) === 'file';
  }

  isFolder(place: string): boolean {
    return this.#kindOf(place) === 'folder';
  }

  /** A place without links; undefined where nothing is, and for code of packages. */
  real(place: string): string | undefined {
    const real = this.#once(`real ${place}`, () => realpathSync(place));
    return real === undefined || isInstalled(real) ? undefined : real;
  }

  /** A text that is looked into and not pinned as a whole. */
  textOf(file: string): string | undefined {
    // Own text: code, in which imports are looked for as Node reads it
    return this.#once(`text ${file}`, () => readFileSync(file, 'utf8'));
  }

  /** The first characters of a file; empty where nothing can be read. */
  startOf(file: string): string {
    return this.#once(`start ${file}`, () => readStart(file)) ?? '';
  }

  /** The nearest file of this name in a folder and those above it. Each that is looked for on the way is pinned, as missing too. */
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

function readSource(place: string): SourceFile {
  const file = realpathSync(place);
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

/** What cannot be read is as if it were not there. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
