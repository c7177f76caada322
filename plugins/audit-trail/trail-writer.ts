import { randomUUID } from 'node:crypto';
import { mkdir, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { maxRecordBytes } from './call-record.ts';
import { Chain, type ChainEnd, chainStart, type RecordBody } from './chain.ts';
import { beginningOfChain, endOfChain, firstSeqIn } from './chain-ends.ts';
import { acquireLock, type Lock } from './lock.ts';
import { rotatedFiles } from './rotated-files.ts';
import { trailError } from './trail-error.ts';
import { type Drift, TrailFile } from './trail-file.ts';

export interface TrailWriterOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** Rotated files kept; 0 keeps all. */
  readonly keep: number;
  readonly key?: string;
  /** Begin a new file where somebody removed the one that was written. */
  readonly replacesRemoved: boolean;
}

/** Writes the records of one chain, one at a time, over rotations, restarts and failures. Not for use by two callers at once. */
export class TrailWriter {
  readonly #options: TrailWriterOptions;
  readonly #logger: Logger;
  readonly #chain: Chain;
  /** Its name among those that want the lock. */
  readonly #contender = randomUUID();
  #lock: Lock | undefined;
  #file: TrailFile | undefined;
  /** The last record that was written; undefined until the file was opened for the first time. */
  #end: ChainEnd | undefined;
  /** The first record that rotation has left. */
  #beginsAt = 1;
  /** What somebody else did to the file, until the chain goes on. */
  #drift: Drift | undefined;
  #isSuspect = false;

  constructor(options: TrailWriterOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#chain = new Chain(options.key);
  }

  /** Finds the file as it was left, or opens it. Throws when it cannot be written or is not the one that this chain is in. */
  async ready(): Promise<void> {
    const drift = await this.#file?.drift();
    if (this.#file !== undefined && drift === undefined && !this.#isSuspect) return;
    if (drift !== undefined && this.#drift === undefined)
      this.#logger.error(`The audit file "${this.#options.path}" was ${drift} by another program while it was in use.`, { drift });
    this.#drift ??= drift;
    await this.#open(drift);
    this.#isSuspect = false;
  }

  /** After a failure the file is opened anew before anything is written. */
  suspect(): void {
    this.#isSuspect = true;
  }

  /** Writes one record, and before it what must be said of half a line, or at the beginning of a file. */
  async write(body: RecordBody): Promise<void> {
    const torn = this.#opened().torn;
    if (torn !== undefined) await this.#append({ event: 'recovered', time: timestamp(), ...torn });
    if (this.#opened().isClean && this.#opened().size + maxRecordBytes > this.#options.maxBytes) await this.#rotate();
    if (this.#opened().size === 0 && this.#end !== undefined && this.#end.seq > 0) await this.#continue();
    await this.#append(body);
  }

  async sync(): Promise<void> {
    await this.#file?.sync();
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.sync();
    } finally {
      await file?.close().catch(() => {});
      await this.#lock?.release();
      this.#lock = undefined;
    }
  }

  async #append(body: RecordBody): Promise<void> {
    const { line, end } = this.#chain.seal(body, this.#end ?? chainStart);
    await this.#opened().append(line);
    this.#end = end;
  }

  async #open(drift: Drift | undefined): Promise<void> {
    const { path: file, replacesRemoved } = this.#options;
    if (drift === 'removed' && !replacesRemoved)
      throw trailError(file, 'its file was removed', 'Put it back; an empty file in its place goes on, and its first record says so.');
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    this.#lock ??= await acquireLock(file, this.#contender);
    const known = this.#file;
    const opened = await TrailFile.open(file);
    try {
      if (known === undefined || !opened.inherit(known)) await this.#adopt(opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
    this.#file = opened;
    if (opened.size > 0) this.#drift = undefined;
    await known?.close().catch(() => {});
  }

  async #adopt(file: TrailFile): Promise<void> {
    const end = await endOfChain(file, this.#chain, this.#end);
    if (this.#end === undefined) this.#beginsAt = await beginningOfChain(file, this.#chain);
    this.#end = end;
    if (file.torn !== undefined)
      this.#logger.warn(
        `The audit file "${file.path}" ends with half a line of ${file.torn.bytes} bytes, as a crash leaves it. It stays, and the next record says so.`,
      );
  }

  async #rotate(): Promise<void> {
    const { path: file } = this.#options;
    const newest = (await rotatedFiles(file)).at(-1)?.number ?? 0;
    const full = this.#opened();
    await full.sync();
    await rename(file, `${file}.${newest + 1}`);
    this.#file = undefined;
    await full.close();
    this.#file = await TrailFile.open(file);
  }

  /** The first record of a file that is not the first one. What rotation removes is said before it is gone. */
  async #continue(): Promise<void> {
    const { path: file, keep } = this.#options;
    const rotated = await rotatedFiles(file);
    const surplus = keep === 0 ? [] : rotated.slice(0, -keep);
    const oldest = rotated[surplus.length];
    if (surplus.length > 0 && oldest !== undefined) this.#beginsAt = (await firstSeqIn(oldest.path, this.#chain)) ?? this.#beginsAt;
    const newest = rotated.at(-1);
    const after = newest === undefined || this.#drift !== undefined ? {} : { after: path.basename(newest.path) };
    await this.#append({ event: 'continued', time: timestamp(), cause: this.#drift ?? 'rotated', ...after, begins_at: this.#beginsAt });
    this.#drift = undefined;
    for (const { path: old } of surplus)
      await unlink(old).catch((error: unknown) => this.#logger.warn(`The audit file "${old}" could not be removed: ${messageOf(error)}`));
  }

  #opened(): TrailFile {
    if (this.#file === undefined) throw trailError(this.#options.path, 'its file is not open', 'The next call opens it.');
    return this.#file;
  }
}

function timestamp(): string {
  return new Date().toISOString();
}
