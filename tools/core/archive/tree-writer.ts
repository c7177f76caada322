import { chmod, link, mkdir, open, symlink, utimes } from 'node:fs/promises';
import nodePath from 'node:path';
import { staysInside } from '../fs/trees/link-target.ts';
import { BadArchive } from './bad-archive.ts';
import { maxEntries, maxListed } from './limits.ts';

export interface EntryFacts {
  /** Permission bits; undefined when the archive has none. */
  readonly mode: number | undefined;
  readonly modifiedAt: Date | undefined;
}

interface WriterOptions {
  /** Maximum size of all files together, in bytes. */
  readonly maxBytes: number;
  /** Maximum number of files, folders and links. @default maxEntries */
  readonly maxEntries?: number;
  /**
   * Returns true for a path that must not be written. After the first one nothing is written, and the caller refuses the archive.
   * @default none
   */
  readonly isBlocked?: (path: string, isLink: boolean) => boolean;
  /** Receives the bytes and entries written so far, after each part of a file and after each entry. */
  readonly onProgress: (bytes: number, entries: number) => void;
}

/**
 * Writes the entries of an archive into an empty folder. Creates links last, so that nothing is ever written through one.
 * Throws BadArchive for entries that conflict or exceed a limit, and what `node:fs` throws.
 */
export class TreeWriter {
  /** First entries, folders with a `/` at the end. */
  readonly listed: string[] = [];
  entries = 0;
  bytes = 0;
  readonly #folder: string;
  readonly #options: WriterOptions;
  /** Kind of each path that exists or will exist. */
  readonly #kinds = new Map<string, 'file' | 'folder' | 'link'>();
  readonly #folderFacts = new Map<string, EntryFacts>();
  readonly #links = new Map<string, string>();
  #isRefused = false;

  constructor(folder: string, options: WriterOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  async addFolder(names: readonly string[], facts: EntryFacts): Promise<void> {
    if (names.length === 0 || this.#isOver(names)) return;
    await this.#makeFolders(names);
    this.#folderFacts.set(names.join('/'), facts);
    this.#list(`${names.join('/')}/`);
  }

  async addFile(names: readonly string[], { mode, modifiedAt }: EntryFacts, content: AsyncIterable<Buffer>): Promise<void> {
    if (this.#isOver(names)) return;
    const path = await this.#claim(names, 'file');
    // The system applies the umask to the mode. Setuid and setgid bits are dropped.
    const file = await open(this.#place(path), 'wx', (mode ?? 0o666) & 0o777).catch((error: unknown) => this.#throwTaken(error, path));
    try {
      for await (const chunk of content) {
        this.#count(chunk.length);
        for (let written = 0; written < chunk.length; ) written += (await file.write(chunk, written)).bytesWritten;
      }
      if (isTime(modifiedAt)) await file.utimes(modifiedAt, modifiedAt);
    } finally {
      await file.close();
    }
    this.#list(path);
  }

  /** Adds a symbolic link; its target must stay in the folder. */
  async addLink(names: readonly string[], target: string): Promise<void> {
    const path = names.join('/');
    if (!staysInside(target, path)) {
      throw new BadArchive(
        `is a symbolic link that leads out of the destination, to "${target.slice(0, 100)}". Do not trust this archive`,
        {
          entry: path,
        },
      );
    }
    if (this.#isOver(names, true)) return;
    await this.#claim(names, 'link');
    this.#links.set(path, target);
    this.#list(path);
  }

  /** Adds another name for a file that was added before. */
  async addSecondName(names: readonly string[], existing: readonly string[]): Promise<void> {
    if (this.#isOver(names)) return;
    const target = existing.join('/');
    if (this.#kinds.get(target) !== 'file') {
      throw new BadArchive(`is a hard link to "${target.slice(0, 100)}", which is no file that comes before it in the archive`, {
        entry: names.join('/'),
      });
    }
    const path = await this.#claim(names, 'file');
    await link(this.#place(target), this.#place(path)).catch((error: unknown) => this.#throwTaken(error, path));
    this.#list(path);
  }

  /** Creates the links, and sets modes and times of folders, when all content is written. */
  async finish(): Promise<void> {
    for (const [path, target] of this.#links) {
      await symlink(target, this.#place(path)).catch((error: unknown) => this.#throwTaken(error, path));
    }
    const umask = process.umask();
    for (const [path, { mode, modifiedAt }] of this.#folderFacts) {
      // The owner must still be able to write in it.
      if (mode !== undefined) await chmod(this.#place(path), (mode & 0o777 & ~umask) | 0o700);
      if (isTime(modifiedAt)) await utimes(this.#place(path), modifiedAt, modifiedAt);
    }
  }

  /** Returns true when nothing more is written, because this entry, an earlier one, or a folder of theirs is not allowed. */
  #isOver(names: readonly string[], isLink = false): boolean {
    const paths = names.map((_, depth) => names.slice(0, depth + 1).join('/'));
    const isBlocked = paths.some(
      (path) => !this.#kinds.has(path) && this.#options.isBlocked?.(path, isLink && path === paths.at(-1)) === true,
    );
    this.#isRefused ||= isBlocked;
    // The limit of entries also applies to entries that are only checked.
    if (this.#isRefused) this.#set(paths.at(-1) ?? '', 'file');
    return this.#isRefused;
  }

  async #claim(names: readonly string[], kind: 'file' | 'link'): Promise<string> {
    const path = names.join('/');
    if (names.length === 0) throw new BadArchive('has no name', { entry: '.' });
    if (this.#kinds.has(path)) throw new BadArchive('is in the archive more than once', { entry: path });
    await this.#makeFolders(names.slice(0, -1));
    this.#set(path, kind);
    return path;
  }

  async #makeFolders(names: readonly string[]): Promise<void> {
    for (const depth of names.keys()) {
      const path = names.slice(0, depth + 1).join('/');
      const kind = this.#kinds.get(path);
      if (kind === 'folder') continue;
      if (kind !== undefined) throw new BadArchive(`is in the archive as a ${kind} and as a folder`, { entry: path });
      await mkdir(this.#place(path)).catch((error: unknown) => this.#throwTaken(error, path));
      this.#set(path, 'folder');
    }
  }

  #set(path: string, kind: 'file' | 'folder' | 'link'): void {
    this.#kinds.set(path, kind);
    if (this.#kinds.size > (this.#options.maxEntries ?? maxEntries)) throw tooManyEntries();
  }

  #place(path: string): string {
    return nodePath.join(this.#folder, path);
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#options.maxBytes) throw tooManyBytes(this.#options.maxBytes);
    this.#options.onProgress(this.bytes, this.entries);
  }

  #list(path: string): void {
    this.entries += 1;
    if (this.listed.length < maxListed) this.listed.push(path);
    this.#options.onProgress(this.bytes, this.entries);
  }

  /** Every path is known here, so an existing file under another spelling is the same file to this file system only. */
  #throwTaken(error: unknown, path: string): never {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BadArchive('differs from another entry only in case or Unicode form, and this file system takes them for one', {
      entry: path,
    });
  }
}

export function tooManyBytes(maxBytes: number): BadArchive {
  const message = `it unpacks to more than ${maxBytes} bytes. If you trust it, raise max_bytes`;
  return new BadArchive(message, { code: 'OUTPUT_TOO_LARGE' });
}

export function tooManyEntries(): BadArchive {
  return new BadArchive(`it unpacks to more than ${maxEntries} files and folders`, { code: 'OUTPUT_TOO_LARGE' });
}

function isTime(time: Date | undefined): time is Date {
  return time !== undefined && !Number.isNaN(time.getTime());
}
