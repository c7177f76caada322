import { lstatSync } from 'node:fs';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { decodeText } from '../files/text-file.ts';
import { type FileState, maxFileBytes, maxTextLength, readWhole } from '../files/whole-file.ts';
import type { FileChange } from './file-changes.ts';

interface Content {
  readonly text: string;
  /** Permissions; null: the default of new files. */
  readonly mode: number | null;
}

interface WorkingFile {
  /** The file on disk; null when there is none. */
  readonly original: { readonly state: FileState; readonly content: Content } | null;
  readonly current: Content | null;
}

/** Text files on disk, with changes that are not written yet. Synchronous: for child processes. */
export class WorkingFiles {
  readonly #files = new Map<string, WorkingFile>();
  #totalLength = 0;

  /** Returns true when a file or folder exists at the path. */
  has(path: string): boolean {
    const known = this.#files.get(path);
    return known === undefined ? isOnDisk(path) : known.current !== null;
  }

  /** Returns the content of an existing file. Throws NOT_FOUND and EXECUTION_FAILED. */
  get(path: string): Content {
    const { current } = this.#known(path);
    if (current === null) throw new ToolkitError('NOT_FOUND', `"${excerpt(path)}" is not there any more.`, { file: path });
    return current;
  }

  set(path: string, content: Content): void {
    this.#count(path, content.text);
    this.#files.set(path, {
      original: this.has(path) ? this.#known(path).original : (this.#files.get(path)?.original ?? null),
      current: content,
    });
  }

  remove(path: string): void {
    this.#files.set(path, { ...this.#known(path), current: null });
  }

  /** Returns the changes that are not on disk yet. */
  changes(): FileChange[] {
    return [...this.#files].flatMap(([path, { original, current }]): FileChange[] => {
      if (current === null) return original === null ? [] : [{ path, text: null, previous: original.state, mode: null }];
      const isSame = current.text === original?.content.text && current.mode === original.content.mode;
      return isSame ? [] : [{ path, text: current.text, previous: original?.state ?? null, mode: current.mode }];
    });
  }

  #known(path: string): WorkingFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const { bytes, state } = readWhole(path);
    const content = { text: decodeText(bytes, path), mode: state.mode & 0o7777 };
    this.#count(path, content.text);
    const file = { original: { state, content }, current: content };
    this.#files.set(path, file);
    return file;
  }

  #count(path: string, text: string): void {
    this.#totalLength += text.length;
    if (text.length <= maxFileBytes && this.#totalLength <= maxTextLength) return;
    const message = `Cannot change "${excerpt(path)}": one call may work on at most ${maxFileBytes} characters of a file and ${maxTextLength} of all. Split the work.`;
    throw new ToolkitError('EXECUTION_FAILED', message, { file: path });
  }
}

function isOnDisk(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}
