import { closeSync, fstatSync, readSync } from 'node:fs';
import type { EnteredFolder, EnterFolder } from '../files/entered-folder.ts';
import { movedError } from '../files/path-race.ts';

/** Result for two files with the same name, or the side that could not be read (0: left) and its error. */
export type PairResult = 'same' | 'differs' | { readonly side: 0 | 1; readonly error: unknown };

/** Bytes of each file that are read at once. */
const chunkBytes = 262_144;

/** Maximum number of open files of a folder. */
const maxOpen = 32;

interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
}

/** Compares the bytes of files with the same names in two folders, in the memory of two chunks. */
export class FilePairs {
  readonly #enter: EnterFolder;
  readonly #left = Buffer.allocUnsafeSlow(chunkBytes);
  readonly #right = Buffer.allocUnsafeSlow(chunkBytes);

  constructor(enter: EnterFolder) {
    this.#enter = enter;
  }

  /** Returns the results by name. Does not throw for files that cannot be read. */
  compare(folders: readonly [left: string, right: string], names: readonly string[]): ReadonlyMap<string, PairResult> {
    const found = new Map<string, PairResult>();
    for (let from = 0; from < names.length; from += maxOpen) this.#compareSome(folders, names.slice(from, from + maxOpen), found);
    return found;
  }

  #compareSome(folders: readonly [left: string, right: string], names: readonly string[], found: Map<string, PairResult>): void {
    const open: [Map<string, OpenFile>, Map<string, OpenFile>] = [new Map(), new Map()];
    try {
      for (const side of [0, 1] as const) this.#openAll(folders[side], side, names, open[side], found);
      for (const name of names) {
        const [left, right] = [open[0].get(name), open[1].get(name)];
        if (left !== undefined && right !== undefined) found.set(name, this.#comparePair(left, right));
      }
    } finally {
      for (const files of open) for (const { descriptor } of files.values()) closeSync(descriptor);
    }
  }

  #openAll(folder: string, side: 0 | 1, names: readonly string[], open: Map<string, OpenFile>, found: Map<string, PairResult>): void {
    let entered: EnteredFolder | undefined;
    for (const name of names) {
      try {
        entered ??= this.#enter(folder);
        open.set(name, opened(entered, name));
      } catch (error) {
        found.set(name, { side, error });
      }
    }
  }

  #comparePair(left: OpenFile, right: OpenFile): PairResult {
    if (left.size !== right.size) return 'differs';
    // Files in /proc report size 0, whatever they hold.
    const size = left.size === 0 ? Number.POSITIVE_INFINITY : left.size;
    for (let position = 0; position < size; ) {
      const counts: number[] = [];
      for (const [side, buffer] of [this.#left, this.#right].entries()) {
        try {
          counts.push(filled((side === 0 ? left : right).descriptor, buffer, size - position));
        } catch (error) {
          return { side: side === 0 ? 0 : 1, error };
        }
      }
      const [bytes = 0, others] = counts;
      if (bytes !== others || this.#left.compare(this.#right, 0, others, 0, bytes) !== 0) return 'differs';
      if (bytes === 0) break;
      position += bytes;
    }
    return 'same';
  }
}

/** Opens a file. Throws what `node:fs` throws, and when the entry is no longer a regular file. */
function opened(folder: EnteredFolder, name: string): OpenFile {
  const descriptor = folder.open(name);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw movedError(name);
    return { descriptor, size: stats.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Reads until the buffer is full, the expected number of bytes is read, or the file ends; returns the number of bytes. */
function filled(descriptor: number, buffer: Buffer, expected: number): number {
  const wanted = Math.min(buffer.length, expected);
  let bytes = 0;
  for (let more = -1; more !== 0 && bytes < wanted; ) {
    more = readSync(descriptor, buffer, bytes, wanted - bytes, null);
    bytes += more;
  }
  return bytes;
}
