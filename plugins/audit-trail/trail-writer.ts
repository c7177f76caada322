import { randomUUID } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { maxRecordBytes } from './call-record.ts';
import { Chain, type ChainEnd, chainStart, type RecordText, recordText } from './chain.ts';
import { findChainEnd, findFirstSeq, readFirstSeq } from './chain-ends.ts';
import { DiskAccess } from './disk-access.ts';
import { findEndByHead } from './end-by-head.ts';
import { HeadFile, headPath } from './head-file.ts';
import { rotatedFiles } from './rotated-files.ts';
import { batchBytes, type SealedRecords, sealRecords } from './sealed-records.ts';
import { ThrottledLog } from './throttled-log.ts';
import { trailError } from './trail-error.ts';
import { type Drift, TrailFile } from './trail-file.ts';
import type { LockedFile, TrailLocation } from './trail-location.ts';

export interface TrailWriterOptions {
  /** The path of the option `path`: a file or a folder. */
  readonly path: string;
  /** Finds the file of the chain. */
  readonly location: TrailLocation;
  readonly maxBytes: number;
  /** Number of rotated files to keep; 0 keeps all. */
  readonly maxRotatedFiles: number;
  readonly key?: string;
  /** True to begin a new file when the current one was removed. */
  readonly replacesRemoved: boolean;
}

/** Time for which a check of the file stays valid within a turn of the event loop, in milliseconds. */
const checkValidMs = 1;

/** The real clock, even when the host replaces the global one. */
const now = performance.now.bind(performance);

/** Writes the records of one chain in groups, across rotations, restarts and failures. Its methods must not run concurrently. */
export class TrailWriter {
  readonly #options: TrailWriterOptions;
  readonly #logger: Logger;
  readonly #chain: Chain;
  /** The name of this writer among the contenders for the lock. */
  readonly #contender = randomUUID();
  readonly #pace = new DiskAccess();
  readonly #headRepeats = new ThrottledLog();
  #room: Buffer | undefined;
  #lockedFile: LockedFile | undefined;
  #file: TrailFile | undefined;
  #head: HeadFile | undefined;
  #headDue: NodeJS.Immediate | undefined;
  /** The last record written; undefined until the file was opened for the first time. */
  #end: ChainEnd | undefined;
  /** Number of the oldest record that rotation has not removed. */
  #beginsAt = 1;
  /** A change by another program, until a record has noted it. */
  #drift: Drift | 'cut' | undefined;
  #isSuspect = false;
  /** True after a failure: the next write has one record. */
  #isProbing = false;
  /** True when the file was checked in this turn of the event loop. */
  #isChecked = false;
  #checkedAt = 0;

  constructor(options: TrailWriterOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#chain = new Chain(options.key);
  }

  /** The path of the current file; before one is open, the option `path`. */
  get #path(): string {
    return this.#lockedFile?.path ?? this.#options.path;
  }

  get #start(): ChainEnd {
    return this.#lockedFile?.start ?? chainStart;
  }

  /** The last record written; undefined until the file was opened. */
  get end(): ChainEnd | undefined {
    return this.#end;
  }

  /** Checks that the file is unchanged, or opens it. Throws when it cannot be written or does not hold this chain. */
  async ready(): Promise<void> {
    const drift = await this.#file?.findDrift();
    if (this.#file !== undefined && drift === undefined && !this.#isSuspect) return;
    if (drift !== undefined && this.#drift === undefined)
      this.#logger.error(`The audit file "${this.#path}" was ${drift} by another program while it was in use.`, { drift });
    this.#drift ??= drift;
    await this.#open(drift);
    this.#isSuspect = false;
  }

  /** True when the file is open and unchanged. False also when the disk is too slow for a synchronous check. */
  isReady(): boolean {
    if (this.#isSuspect || this.#file === undefined) return false;
    if (this.#isChecked && now() - this.#checkedAt < checkValidMs) return true;
    if (!this.#file.isUnchanged()) return false;
    this.#checkedAt = now();
    if (!this.#isChecked)
      setImmediate(() => {
        this.#isChecked = false;
      });
    this.#isChecked = true;
    return true;
  }

  /** True when the last write took microseconds. */
  get isQuick(): boolean {
    return this.#pace.wasQuick;
  }

  /**
   * Writes all records synchronously and removes them from the queue. False when that needs several steps, such as a rotation, or has failed:
   * then the queue has the records that are not written.
   */
  writeNow(queue: { readonly record: RecordText }[]): boolean {
    const file = this.#file;
    const isPlain = !this.#isProbing && this.#drift === undefined && this.#end !== undefined;
    if (!isPlain || !this.isReady() || file === undefined || file.size === 0 || !file.isClean) return false;
    const sealed = sealRecords(queue, { ...this.#sealOptions(file), isOne: false });
    if (sealed.records < queue.length || !sealed.fits) return false;
    try {
      this.#removeWritten(queue, sealed, file.appendNow(sealed).written);
    } catch {
      // `write` will fail again, and reports it.
    }
    if (queue.length > 0) return false;
    this.#scheduleHead();
    return true;
  }

  /** Makes the next `ready` open the file anew. Called after a failure. */
  markSuspect(): void {
    this.#isSuspect = true;
    this.#isProbing = true;
  }

  /**
   * Writes records in order, as many at once as fit into the file. Before them it writes a record that accounts for half a line, and one that
   * begins a new file. Removes each written record from the queue.
   */
  async write(queue: { readonly record: RecordText }[]): Promise<void> {
    while (queue.length > 0) {
      const torn = this.#requireFile().torn;
      if (torn !== undefined) await this.#append([{ record: recordText({ event: 'recovered', time: new Date().toISOString(), ...torn }) }]);
      if (this.#requireFile().isClean && this.#requireFile().size + maxRecordBytes > this.#options.maxBytes) await this.#rotate();
      const isContinued = this.#requireFile().size === 0 || this.#drift === 'cut';
      if (isContinued && this.#end !== undefined && this.#end.seq > 0) await this.#continue();
      await this.#append(queue);
    }
    this.#scheduleHead();
  }

  /** Schedules one write of the head for all records of a turn of the event loop. */
  #scheduleHead(): void {
    this.#headDue ??= setImmediate(() => void this.#writeHead());
  }

  async sync(): Promise<void> {
    await this.#file?.sync();
  }

  async close(): Promise<void> {
    const file = this.#file;
    if (this.#headDue !== undefined) await this.#writeHead();
    const head = this.#head;
    this.#file = undefined;
    this.#head = undefined;
    try {
      await file?.sync();
    } finally {
      await file?.close().catch(() => {});
      await head?.close().catch(() => {});
      await this.#lockedFile?.lock.release();
      this.#lockedFile = undefined;
    }
  }

  /** Appends as many records as fit into the file and into one write; only one after a failure. */
  async #append(queue: { readonly record: RecordText }[]): Promise<void> {
    const file = this.#requireFile();
    const sealed = sealRecords(queue, { ...this.#sealOptions(file), isOne: this.#isProbing });
    const { written, error } = await file.append(sealed);
    this.#removeWritten(queue, sealed, written);
    if (error !== undefined) throw error;
    this.#isProbing = false;
  }

  #sealOptions({ size }: TrailFile) {
    this.#room ??= Buffer.allocUnsafeSlow(batchBytes);
    return {
      chain: this.#chain,
      end: this.#end ?? this.#start,
      roomBytes: this.#options.maxBytes - maxRecordBytes - size,
      room: this.#room,
    };
  }

  #removeWritten(queue: { readonly record: RecordText }[], { links }: SealedRecords, written: number): void {
    this.#end = links[written - 1]?.end ?? this.#end;
    let records = 0;
    for (const link of links.slice(0, written)) records += link.records;
    queue.splice(0, records);
  }

  /** Writes the head. A failure is only logged: the chain is complete without the head, and cut-off records are then not noticed. */
  async #writeHead(): Promise<void> {
    clearImmediate(this.#headDue);
    this.#headDue = undefined;
    try {
      if (this.#end !== undefined) await this.#head?.write(this.#end);
    } catch (error) {
      const file = headPath(this.#path);
      this.#headRepeats.log((since) =>
        this.#logger.warn(`The head of the audit trail "${file}" could not be written: ${messageOf(error)}.${since}`),
      );
    }
  }

  async #open(drift: Drift | undefined): Promise<void> {
    if (drift === 'removed' && !this.#options.replacesRemoved)
      throw trailError(
        this.#path,
        'its file was removed',
        'Put it back, or an empty file: the trail then continues in it, and its first record notes that.',
      );
    this.#lockedFile = await this.#options.location.lockFile(this.#contender, this.#lockedFile);
    const { path: file } = this.#lockedFile;
    const known = this.#file;
    const opened = await TrailFile.open(file, this.#pace);
    try {
      if (known === undefined || !opened.inherit(known)) await this.#adopt(opened);
      const former = this.#head;
      this.#head = await HeadFile.open(file, this.#chain, this.#pace);
      await former?.close();
      if (this.#end?.seq === 0) await this.#head.write(this.#end);
    } catch (error) {
      await opened.close();
      throw error;
    }
    this.#file = opened;
    if (opened.size > 0 && this.#drift !== 'cut') this.#drift = undefined;
    await known?.close().catch(() => {});
  }

  async #adopt(file: TrailFile): Promise<void> {
    const end = await findChainEnd(file, { chain: this.#chain, start: this.#start, known: this.#end });
    if (this.#end === undefined) this.#beginsAt = await findFirstSeq(file, this.#chain);
    this.#end = this.#end === undefined ? await this.#endByHead(end) : end;
    if (file.torn !== undefined)
      this.#logger.warn(
        `The audit file "${file.path}" ends with half a line of ${file.torn.bytes} bytes, as a crash leaves it. It stays, and the next record says so.`,
      );
  }

  /** Returns the end of the chain, or the later one that the head names: then the gap stays visible. */
  async #endByHead(end: ChainEnd): Promise<ChainEnd> {
    const later = await findEndByHead(this.#path, end, { chain: this.#chain, logger: this.#logger });
    if (later !== undefined) this.#drift = 'cut';
    return later ?? end;
  }

  async #rotate(): Promise<void> {
    const file = this.#path;
    const newest = (await rotatedFiles(file)).at(-1)?.number ?? 0;
    const full = this.#requireFile();
    await full.sync();
    await this.#lockedFile?.beforeRotation?.(this.#end ?? this.#start);
    await rename(file, `${file}.${newest + 1}`);
    this.#file = undefined;
    await full.close();
    this.#file = await TrailFile.open(file, this.#pace);
  }

  /** Writes the first record of a file that continues a chain. It names the oldest record that stays, before surplus files are removed. */
  async #continue(): Promise<void> {
    const file = this.#path;
    const { maxRotatedFiles } = this.#options;
    const rotated = await rotatedFiles(file);
    const surplus = maxRotatedFiles === 0 ? [] : rotated.slice(0, -maxRotatedFiles);
    const oldest = rotated[surplus.length];
    if (surplus.length > 0 && oldest !== undefined) this.#beginsAt = (await readFirstSeq(oldest.path, this.#chain)) ?? this.#beginsAt;
    const newest = rotated.at(-1);
    const after = newest === undefined || this.#drift !== undefined ? {} : { after: path.basename(newest.path) };
    const cause = this.#drift ?? 'rotated';
    await this.#append([
      { record: recordText({ event: 'continued', time: new Date().toISOString(), cause, ...after, begins_at: this.#beginsAt }) },
    ]);
    this.#drift = undefined;
    for (const { path: old } of surplus)
      await unlink(old).catch((error: unknown) => this.#logger.warn(`The audit file "${old}" could not be removed: ${messageOf(error)}`));
  }

  #requireFile(): TrailFile {
    if (this.#file === undefined) throw trailError(this.#path, 'its file is not open', 'The next call opens it.');
    return this.#file;
  }
}
