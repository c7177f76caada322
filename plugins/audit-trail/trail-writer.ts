import { randomUUID } from 'node:crypto';
import { mkdir, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { maxRecordBytes } from './call-record.ts';
import { Chain, type ChainEnd, chainStart, type RecordText, recordText } from './chain.ts';
import { beginningOfChain, endOfChain, firstSeqIn } from './chain-ends.ts';
import { DiskPace } from './disk-pace.ts';
import { HeadFile, headPath, readHead } from './head-file.ts';
import { acquireLock, type Lock } from './lock.ts';
import { Repeats } from './repeats.ts';
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

/** How long a look at the file counts within a turn of the event loop, in milliseconds. */
const lookMs = 1;

/** The real clock, whatever a host makes of time. */
const now = performance.now.bind(performance);

/** One write is not larger, in bytes, so that the system takes it in one go. */
const maxWriteBytes = 256 * 1024;

/** Writes the records of one chain in groups, over rotations, restarts and failures. Not for use by two callers at once. */
export class TrailWriter {
  readonly #options: TrailWriterOptions;
  readonly #logger: Logger;
  readonly #chain: Chain;
  /** Its name among those that want the lock. */
  readonly #contender = randomUUID();
  readonly #pace = new DiskPace();
  readonly #headRepeats = new Repeats();
  #lock: Lock | undefined;
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
    const { lines, ends, bytes } = this.#sealed(queue, file);
    if (lines.length < queue.length || file.size + bytes + maxRecordBytes > this.#options.maxBytes) return false;
    try {
      const { written } = file.appendNow(lines);
      this.#end = ends[written - 1] ?? this.#end;
      queue.splice(0, written);
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
      if (torn !== undefined) await this.#append([{ record: recordText({ event: 'recovered', time: timestamp(), ...torn }) }]);
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
      await this.#lock?.release();
      this.#lock = undefined;
    }
  }

  /** Appends as many as fit into the file and into one write. */
  async #append(queue: { readonly record: RecordText }[]): Promise<void> {
    const file = this.#opened();
    const { lines, ends } = this.#sealed(queue, file);
    const { written, error } = await file.append(lines);
    this.#end = ends[written - 1] ?? this.#end;
    queue.splice(0, written);
    if (error !== undefined) throw error;
    this.#isProbing = false;
  }

  /** The lines of as many records as fit into the file and into one write; of one, while it is not known whether writing works. */
  #sealed(queue: readonly { readonly record: RecordText }[], { size }: TrailFile) {
    const lines: string[] = [];
    const ends: ChainEnd[] = [];
    let bytes = 0;
    for (const { record } of queue) {
      const { line, end } = this.#chain.seal(record, ends.at(-1) ?? this.#end ?? chainStart);
      ends.push(end);
      lines.push(`${line}\n`);
      bytes += Buffer.byteLength(line) + 1;
      if (this.#isProbing || bytes > maxWriteBytes || size + bytes + maxRecordBytes > this.#options.maxBytes) break;
    }
    return { lines, ends, bytes };
  }

  /** The records are written: the chain is whole without it, and only shows less. */
  async #writeHead(): Promise<void> {
    clearImmediate(this.#headDue);
    this.#headDue = undefined;
    try {
      if (this.#end !== undefined) await this.#head?.write(this.#end);
    } catch (error) {
      const file = headPath(this.#options.path);
      this.#headRepeats.say((since) =>
        this.#logger.warn(`The head of the audit trail "${file}" could not be written: ${messageOf(error)}.${since}`),
      );
    }
  }

  async #open(drift: Drift | undefined): Promise<void> {
    const { path: file, replacesRemoved } = this.#options;
    if (drift === 'removed' && !replacesRemoved)
      throw trailError(file, 'its file was removed', 'Put it back; an empty file in its place goes on, and its first record says so.');
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    this.#lock ??= await acquireLock(file, this.#contender);
    const known = this.#file;
    const opened = await TrailFile.open(file, this.#pace);
    try {
      if (known === undefined || !opened.inherit(known)) await this.#adopt(opened);
      const former = this.#head;
      this.#head = await HeadFile.open(file, this.#chain, this.#pace);
      await former?.close();
    } catch (error) {
      await opened.close();
      throw error;
    }
    this.#file = opened;
    if (opened.size > 0 && this.#drift !== 'cut') this.#drift = undefined;
    await known?.close().catch(() => {});
  }

  async #adopt(file: TrailFile): Promise<void> {
    const end = await endOfChain(file, this.#chain, this.#end);
    if (this.#end === undefined) this.#beginsAt = await beginningOfChain(file, this.#chain);
    this.#end = this.#end === undefined ? await this.#endByHead(end) : end;
    if (file.torn !== undefined)
      this.#logger.warn(
        `The audit file "${file.path}" ends with half a line of ${file.torn.bytes} bytes, as a crash leaves it. It stays, and the next record says so.`,
      );
  }

  /** The end of the chain that was found, or the later one that the head names: then the gap stays to be seen. */
  async #endByHead(end: ChainEnd): Promise<ChainEnd> {
    const { path: file } = this.#options;
    const head = await readHead(file, this.#chain);
    if (head.type === 'broken')
      this.#logger.error(`"${headPath(file)}", which names the last record of the audit trail, does not verify. It is written anew.`);
    if (head.type !== 'record' || head.end.seq < end.seq || head.end.hash === end.hash) return end;
    this.#drift = 'cut';
    this.#logger.error(
      `The audit trail "${file}" ends with record ${end.seq}, and "${headPath(file)}" names record ${head.end.seq}: records at the end were cut off or replaced. The trail goes on behind the gap. To begin a new trail, move all of its files away.`,
      { drift: 'cut' },
    );
    return head.end;
  }

  async #rotate(): Promise<void> {
    const { path: file } = this.#options;
    const newest = (await rotatedFiles(file)).at(-1)?.number ?? 0;
    const full = this.#opened();
    await full.sync();
    await rename(file, `${file}.${newest + 1}`);
    this.#file = undefined;
    await full.close();
    this.#file = await TrailFile.open(file, this.#pace);
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
    const cause = this.#drift ?? 'rotated';
    await this.#append([{ record: recordText({ event: 'continued', time: timestamp(), cause, ...after, begins_at: this.#beginsAt }) }]);
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
