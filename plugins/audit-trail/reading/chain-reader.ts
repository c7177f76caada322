import type { FileHandle } from 'node:fs/promises';
import type { JsonObject } from '../../../kernel/index.ts';
import { maxRecordBytes } from '../call-record.ts';
import type { Chain } from '../chain.ts';
import { type BackwardLine, linesBackwards } from './lines-backwards.ts';
import { currentNumber, numberBefore, openNumbered } from './numbered-file.ts';

/** A position in the files of one chain. */
export interface ChainPosition {
  /** Number of the file, or the one that the current file will get. */
  readonly number: number;
  /** Offset before which the next line ends. */
  readonly end: number;
}

/** The end of a call. */
export interface FoundCall {
  readonly record: JsonObject;
  /** RFC 3339. */
  readonly time: string;
}

/** Work that several readers share: they stop together when it is used up. */
export class ReadBudget {
  #bytes: number;
  /** Number of lines that are no valid record. */
  broken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get isUsedUp(): boolean {
    return this.#bytes <= 0;
  }

  take(bytes: number): void {
    this.#bytes -= bytes;
  }
}

export interface ChainReaderOptions {
  readonly chain: Chain;
  readonly budget: ReadBudget;
  /** False for the bytes of a line that cannot be wanted: it is skipped unread. @default every line is read */
  readonly mayMatch?: (line: Buffer) => boolean;
}

/** Longer than any line of a trail: that of a batch has 256 digests. */
const maxLineBytes = 4 * maxRecordBytes;

/** Reads the ends of calls of one chain backwards, from its file over the rotated ones. Close it after use. */
export class ChainReader {
  readonly #trail: string;
  readonly #options: ChainReaderOptions;
  #number: number | undefined;
  #end: number | undefined;
  #handle: FileHandle | undefined;
  #lines: AsyncGenerator<BackwardLine> | undefined;
  #head: { readonly call: FoundCall; readonly position: ChainPosition } | undefined;
  #isOver = false;

  /** `from`: a former `position`. @default the end of the file */
  constructor(trail: string, options: ChainReaderOptions, from?: ChainPosition) {
    this.#trail = trail;
    this.#options = options;
    this.#number = from?.number;
    this.#end = from?.end;
  }

  /** The next call, after `look`. Undefined when there is none, or the budget was used up before it was found. */
  get head(): FoundCall | undefined {
    return this.#head?.call;
  }

  /** The position from which a later reader finds `head` first. Undefined at the end of the chain. */
  get position(): ChainPosition | undefined {
    if (this.#head !== undefined) return this.#head.position;
    return this.#isOver || this.#number === undefined ? undefined : { number: this.#number, end: this.#end ?? Number.MAX_SAFE_INTEGER };
  }

  /** Reads up to the next call. */
  async look(): Promise<void> {
    // Before the budget counts: a reader that did not begin has a position, too.
    this.#number ??= this.#isOver ? undefined : await currentNumber(this.#trail);
    while (this.#head === undefined && !this.#isOver && !this.#options.budget.isUsedUp) {
      this.#lines ??= await this.#openLines();
      const line = await this.#lines?.next();
      if (line === undefined || line.done === true) await this.#openEarlier();
      else this.#take(line.value);
    }
  }

  /** Returns `head`, and moves on. */
  shift(): FoundCall | undefined {
    const call = this.head;
    this.#head = undefined;
    return call;
  }

  async close(): Promise<void> {
    await this.#lines?.return(undefined);
    await this.#handle?.close();
    this.#lines = undefined;
    this.#handle = undefined;
  }

  async #openLines(): Promise<AsyncGenerator<BackwardLine> | undefined> {
    this.#handle = await openNumbered(this.#trail, this.#number ?? 1);
    if (this.#handle === undefined) return undefined;
    const { size } = await this.#handle.stat();
    const end = Math.min(size, this.#end ?? size);
    this.#end = end;
    return linesBackwards(this.#handle, { end, maxBytes: maxLineBytes, onRead: (bytes) => this.#options.budget.take(bytes) });
  }

  async #openEarlier(): Promise<void> {
    await this.close();
    this.#number = await numberBefore(this.#trail, this.#number ?? 0);
    this.#end = undefined;
    this.#isOver = this.#number === undefined;
  }

  #take({ bytes, start, end, isEnded }: BackwardLine): void {
    this.#end = start;
    // Being written, or left by a crash: a later record accounts for it.
    if (!isEnded || (bytes !== undefined && this.#options.mayMatch?.(bytes) === false)) return;
    const reading = bytes === undefined ? undefined : this.#options.chain.read(bytes);
    if (reading === undefined || reading.type === 'broken') this.#options.budget.broken++;
    else if (reading.type !== 'batch') {
      const { body, time } = reading.type === 'record' ? reading.record : reading.member;
      const { event, call_id: id, outcome } = body;
      if (event !== undefined || typeof id !== 'string' || typeof outcome !== 'string') return;
      this.#head = { call: { record: body as JsonObject, time }, position: { number: this.#number ?? 1, end } };
    }
  }
}
