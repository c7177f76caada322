import { createHash } from 'node:crypto';
import fs, { constants, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { ToolkitError } from '../../kernel/index.ts';
import type { DiskAccess } from './disk-access.ts';
import { firstLine, readTail, type Tail } from './rotated-files.ts';
import { isErrno, trailError } from './trail-error.ts';

/** A change to the file by another program. */
export type Drift = 'removed' | 'replaced' | 'emptied' | 'changed';

/** Symbolic links are refused by the system where it can (POSIX); a check before gives the plain message. */
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Lines with their line ends, in parts. A part counts only as a whole. */
export interface LineParts {
  readonly bytes: Buffer;
  /** The end of each part, in bytes. */
  readonly ends: readonly number[];
}

interface AppendResult {
  /** Number of parts that are in the file as a whole. */
  readonly written: number;
  readonly error?: ToolkitError;
}

const noBytes: Buffer = Buffer.alloc(0);
const lineEnd: Buffer = Buffer.from('\n');

/** The current file and its state after the last write: identity, size, and the bytes after its last complete line. It only grows. */
export class TrailFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #pace: DiskAccess;
  readonly #identity: { readonly dev: number; readonly ino: number };
  #size: number;
  /** Half a line: an interrupted write. Later attempts may have appended to it. */
  #torn: Buffer = noBytes;
  /** True when the last line is complete but for its line end. */
  #isUnended = false;

  private constructor(file: string, handle: FileHandle, { dev, ino, size }: Stats, pace: DiskAccess) {
    this.path = file;
    this.#handle = handle;
    this.#pace = pace;
    this.#identity = { dev, ino };
    this.#size = size;
  }

  /** Opens the file, or creates it with mode 0600. */
  static async open(file: string, pace: DiskAccess): Promise<TrailFile> {
    await refuseOtherThanFile(file);
    const handle = await open(file, flags, 0o600);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw trailError(file, 'it is not a file', 'Name a file in "path".');
      return new TrailFile(file, handle, stats, pace);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Half a line that the next record must account for. */
  get torn(): { readonly bytes: number; readonly sha256: string } | undefined {
    if (this.#torn.length === 0) return undefined;
    return { bytes: this.#torn.length, sha256: createHash('sha256').update(this.#torn).digest('hex') };
  }

  /** True when the last line has its line end. */
  get isClean(): boolean {
    return this.#torn.length === 0 && !this.#isUnended;
  }

  /** Returns the change to the file since the last write; undefined when there is none. */
  async findDrift(): Promise<Drift | undefined> {
    const stats = await this.#pace.run(
      () => lstatSync(this.path, { throwIfNoEntry: false }),
      () => lstatIfThere(this.path),
    );
    return this.#driftOf(stats);
  }

  /** True when the file is unchanged since the last write. False also when the disk is too slow for a synchronous check. */
  isUnchanged(): boolean {
    if (this.#pace.isSlow) return false;
    try {
      return this.#driftOf(this.#pace.runSync(() => lstatSync(this.path, { throwIfNoEntry: false }))) === undefined;
    } catch {
      return false;
    }
  }

  #driftOf(stats: Stats | undefined): Drift | undefined {
    if (stats === undefined) return 'removed';
    if (stats.dev !== this.#identity.dev || stats.ino !== this.#identity.ino) return 'replaced';
    if (stats.size === this.#size) return undefined;
    return stats.size === 0 ? 'emptied' : 'changed';
  }

  /** Copies the state of an earlier handle on the same file. False when the file has changed since. */
  inherit(known: TrailFile): boolean {
    const isSame = this.#identity.dev === known.#identity.dev && this.#identity.ino === known.#identity.ino;
    if (!isSame || this.#size !== known.#size) return false;
    this.#torn = known.#torn;
    this.#isUnended = known.#isUnended;
    return true;
  }

  first(): Promise<Buffer | undefined> {
    return firstLine(this.#handle);
  }

  tail(isUnsealed: (line: Buffer) => boolean): Promise<Tail> {
    return readTail(this.#handle, this.#size, isUnsealed);
  }

  /** Sets the bytes after the last line that has a line end: a complete line, or half of one. */
  setRest(rest: Buffer, kind: 'whole' | 'half'): void {
    this.#isUnended = kind === 'whole';
    this.#torn = kind === 'half' ? rest : noBytes;
  }

  /** Appends parts in one write; ends an open line first. Returns how many parts were written as a whole, and the error for the others. */
  async append(parts: LineParts): Promise<AppendResult> {
    const bytes = this.#withLineEnd(parts.bytes);
    const bytesWritten = await this.#pace.run(
      () => fs.writeSync(this.#handle.fd, bytes),
      async () => (await this.#handle.write(bytes)).bytesWritten,
    );
    return this.#recordWrite(parts, bytes, bytesWritten);
  }

  /** Appends synchronously. Throws the error of the file system. */
  appendNow(parts: LineParts): AppendResult {
    const bytes = this.#withLineEnd(parts.bytes);
    return this.#recordWrite(
      parts,
      bytes,
      this.#pace.runSync(() => fs.writeSync(this.#handle.fd, bytes)),
    );
  }

  #withLineEnd(bytes: Buffer): Buffer {
    return this.isClean ? bytes : Buffer.concat([lineEnd, bytes]);
  }

  #recordWrite({ ends }: LineParts, bytes: Buffer, bytesWritten: number): AppendResult {
    const start = this.isClean ? 0 : 1;
    this.#size += bytesWritten;
    if (bytesWritten === bytes.length) {
      this.#torn = noBytes;
      this.#isUnended = false;
      return { written: ends.length };
    }
    // A part that lacks only its line end counts.
    const written = ends.filter((end) => bytesWritten >= start + end - 1).length;
    const end = start + (ends[written - 1] ?? 0);
    if (written > 0) {
      this.#torn = Buffer.from(bytes.subarray(end, Math.max(end, bytesWritten)));
      this.#isUnended = bytesWritten < end;
    } else if (this.#torn.length > 0) this.#torn = Buffer.concat([this.#torn, bytes.subarray(0, bytesWritten)]);
    else if (bytesWritten > 0) this.setRest(Buffer.from(bytes.subarray(start, bytesWritten)), 'half');
    if (written === ends.length) return { written };
    const problem = 'ENOSPC: only a part of the record could be written';
    return { written, error: trailError(this.path, problem, 'Make room on the disk; the trail then continues by itself.') };
  }

  /** Waits until the written bytes are on disk. */
  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Refuses a symbolic link, which could make the trail overwrite any file of the user, and a device or pipe, which stores nothing. */
export async function refuseOtherThanFile(file: string): Promise<void> {
  const stats = await lstatIfThere(file);
  if (stats?.isSymbolicLink() === true) throw trailError(file, 'it is a symbolic link', 'Name the file itself in "path".');
  if (stats?.isFile() === false) throw trailError(file, 'it is not a file', 'Name a file in "path".');
}

async function lstatIfThere(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
