import { randomUUID } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { maxRecordBytes } from './call-record.ts';
import { Chain, type ChainEnd, chainStart, type RecordText, recordText } from './chain.ts';
import { beginningOfChain, endOfChain, firstSeqIn } from './chain-ends.ts';
import { DiskPace } from './disk-pace.ts';
import { endByHead } from './end-by-head.ts';
import { HeadFile, headPath } from './head-file.ts';
import { Repeats } from './repeats.ts';
import { rotatedFiles } from './rotated-files.ts';
import { batchBytes, type SealedRecords, sealRecords } from './sealed-records.ts';
import { trailError } from './trail-error.ts';
import { type Drift, TrailFile } from './trail-file.ts';
import type { TakenFile, TrailPlace } from './trail-place.ts';

export interface TrailWriterOptions {
  /** The file, or the folder, that the operator named. */
  readonly path: string;
  /** The place of the chain in it. */
  readonly place: TrailPlace;
  readonly maxBytes: number;
  /** Rotated files kept; 0 keeps all. */
  readonly keep: number;
  readonly key?: string;
  /** Begin a new file where somebody removed the one that was written. */
  readonly replacesRemoved: boolean;
}

/** How long a look at the file counts within a turn of the event loop, in milliseconds. */
const lookMs = 1;

/** The real clock, whatever a host makes of time. */
const now = performance.now.bind(performance);

/** Writes the records of one chain in groups, over rotations, restarts and failures. Not for use by two callers at once. */
export class TrailWriter {
  readonly #options: TrailWriterOptions;
  readonly #logger: Logger;
  readonly #chain: Chain;
  /** Its name among those that want the lock. */
  readonly #contender = randomUUID();
  readonly #pace = new DiskPace();
  readonly #headRepeats = new Repeats();
  #room: Buffer | undefined;
  #taken: TakenFile | undefined;
  #file: TrailFile | undefined;
  #head: HeadFile | undefined;
  #headDue: NodeJS.Immediate | undefined;
  /** The last record that was written; undefined until the file was opened for the first time. */
  #end: ChainEnd | undefined;
  /** The first record that rotation has left. */
  #beginsAt = 1;
  /** What somebody else did to the file, until the chain goes on. */
  #drift: Drift | 'cut' | undefined;
  #isSuspect = false;
  /** Writing has failed: the next write is of one record. */
  #isProbing = false;
  /** The file was looked at in this turn of the event loop. */
  #isFresh = false;
  #lookedAt = 0;

  constructor(options: TrailWriterOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#chain = new Chain(options.key);
  }

  /** The file that is written; before one is, what the operator named. */
  get #path(): string {
    return this.#taken?.path ?? this.#options.path;
  }

  get #start(): ChainEnd {
    return this.#taken?.start ?? chainStart;
  }

  /** The last record that was written; undefined until the file was opened. */
  get end(): ChainEnd | undefined {
    return this.#end;
  }

  /** Finds the file as it was left, or opens it. Throws when it cannot be written or is not the one that this chain is in. */
  async ready(): Promise<void> {
    const drift = await this.#file?.drift();
    if (this.#file !== undefined && drift === undefined && !this.#isSuspect) return;
    if (drift !== undefined && this.#drift === undefined)
      this.#logger.error(`The audit file "${this.#path}" was ${drift} by another program while it was in use.`, { drift });
    this.#drift ??= drift;
    await this.#open(drift);
    this.#isSuspect = false;
  }

  /** True when the file is open and as it was left. False also where a look at it takes too long for the event loop. */
  isReady(): boolean {
    if (this.#isSuspect || this.#file === undefined) return false;
    if (this.#isFresh && now() - this.#lookedAt < lookMs) return true;
    if (!this.#file.isAsLeft()) return false;
    this.#lookedAt = now();
    if (!this.#isFresh)
      setImmediate(() => {
        this.#isFresh = false;
      });
    this.#isFresh = true;
    return true;
  }

  /** The last write took microseconds. */
  get isQuick(): boolean {
    return this.#pace.isQuick;
  }

  /**
   * Writes all of these records at once, and takes them off the queue. False where that has to be done step by step, such as at the end of a file,
   * or went wrong: then the queue has what is left.
   */
  writeNow(queue: { readonly record: RecordText }[]): boolean {
    const file = this.#file;
    const isPlain = !this.#isProbing && this.#drift === undefined && this.#end !== undefined;
    if (!isPlain || !this.isReady() || file === undefined || file.size === 0 || !file.isClean) return false;
    const sealed = sealRecords(queue, { ...this.#sealing(file), isOne: false });
    if (sealed.records < queue.length || !sealed.fits) return false;
    try {
      this.#take(queue, sealed, file.appendNow(sealed).written);
    } catch {
      // Step by step it goes wrong once more, and is said.
    }
    if (queue.length > 0) return false;
    this.#announceHead();
    return true;
  }

  /** After a failure the file is opened anew before anything is written. */
  suspect(): void {
    this.#isSuspect = true;
    this.#isProbing = true;
  }

  /**
   * Writes records in order, as many at once as fit into the file, and before them what must be said of half a line, or at the beginning of a
   * file. Takes each off the queue that is written.
   */
  async write(queue: { readonly record: RecordText }[]): Promise<void> {
    while (queue.length > 0) {
      const torn = this.#opened().torn;
      if (torn !== undefined) await this.#append([{ record: recordText({ event: 'recovered', time: new Date().toISOString(), ...torn }) }]);
      if (this.#opened().isClean && this.#opened().size + maxRecordBytes > this.#options.maxBytes) await this.#rotate();
      const isContinued = this.#opened().size === 0 || this.#drift === 'cut';
      if (isContinued && this.#end !== undefined && this.#end.seq > 0) await this.#continue();
      await this.#append(queue);
    }
    this.#announceHead();
  }

  /** Once for all records of a turn of the event loop. */
  #announceHead(): void {
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
      await this.#taken?.lock.release();
      this.#taken = undefined;
    }
  }

  /** Appends as many as fit into the file and into one write; one, while it is not known whether writing works. */
  async #append(queue: { readonly record: RecordText }[]): Promise<void> {
    const file = this.#opened();
    const sealed = sealRecords(queue, { ...this.#sealing(file), isOne: this.#isProbing });
    const { written, error } = await file.append(sealed);
    this.#take(queue, sealed, written);
    if (error !== undefined) throw error;
    this.#isProbing = false;
  }

  #sealing({ size }: TrailFile) {
    this.#room ??= Buffer.allocUnsafeSlow(batchBytes);
    return {
      chain: this.#chain,
      end: this.#end ?? this.#start,
      roomBytes: this.#options.maxBytes - maxRecordBytes - size,
      room: this.#room,
    };
  }

  #take(queue: { readonly record: RecordText }[], { links }: SealedRecords, written: number): void {
    this.#end = links[written - 1]?.end ?? this.#end;
    let records = 0;
    for (const link of links.slice(0, written)) records += link.records;
    queue.splice(0, records);
  }

  /** The records are written: the chain is whole without it, and only shows less. */
  async #writeHead(): Promise<void> {
    clearImmediate(this.#headDue);
    this.#headDue = undefined;
    try {
      if (this.#end !== undefined) await this.#head?.write(this.#end);
    } catch (error) {
      const file = headPath(this.#path);
      this.#headRepeats.say((since) =>
        this.#logger.warn(`The head of the audit trail "${file}" could not be written: ${messageOf(error)}.${since}`),
      );
    }
  }

  async #open(drift: Drift | undefined): Promise<void> {
    if (drift === 'removed' && !this.#options.replacesRemoved)
      throw trailError(
        this.#path,
        'its file was removed',
        'Put it back; an empty file in its place goes on, and its first record says so.',
      );
    this.#taken = await this.#options.place.take(this.#contender, this.#taken);
    const { path: file } = this.#taken;
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
    const end = await endOfChain(file, { chain: this.#chain, start: this.#start, known: this.#end });
    if (this.#end === undefined) this.#beginsAt = await beginningOfChain(file, this.#chain);
    this.#end = this.#end === undefined ? await this.#endByHead(end) : end;
    if (file.torn !== undefined)
      this.#logger.warn(
        `The audit file "${file.path}" ends with half a line of ${file.torn.bytes} bytes, as a crash leaves it. It stays, and the next record says so.`,
      );
  }

  /** The end of the chain that was found, or the later one that the head names: then the gap stays to be seen. */
  async #endByHead(end: ChainEnd): Promise<ChainEnd> {
    const later = await endByHead(this.#path, end, { chain: this.#chain, logger: this.#logger });
    if (later !== undefined) this.#drift = 'cut';
    return later ?? end;
  }

  async #rotate(): Promise<void> {
    const file = this.#path;
    const newest = (await rotatedFiles(file)).at(-1)?.number ?? 0;
    const full = this.#opened();
    await full.sync();
    await this.#taken?.beforeRotation?.(this.#end ?? this.#start);
    await rename(file, `${file}.${newest + 1}`);
    this.#file = undefined;
    await full.close();
    this.#file = await TrailFile.open(file, this.#pace);
  }

  /** The first record of a file that is not the first one. What rotation removes is said before it is gone. */
  async #continue(): Promise<void> {
    const file = this.#path;
    const { keep } = this.#options;
    const rotated = await rotatedFiles(file);
    const surplus = keep === 0 ? [] : rotated.slice(0, -keep);
    const oldest = rotated[surplus.length];
    if (surplus.length > 0 && oldest !== undefined) this.#beginsAt = (await firstSeqIn(oldest.path, this.#chain)) ?? this.#beginsAt;
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

  #opened(): TrailFile {
    if (this.#file === undefined) throw trailError(this.#path, 'its file is not open', 'The next call opens it.');
    return this.#file;
  }
}
