import { createHash } from 'node:crypto';
import { type BatchMember, maxBatchRecords, type RecordBody } from './chain.ts';
import type { Finding } from './verify-report.ts';

/** A line that is no link of the chain: a record of a batch, or, without `member`, half a line. */
export interface UnsealedLine {
  /** Says what is wrong with it, should no line behind it account for it. */
  readonly finding: Finding;
  readonly member?: BatchMember;
}

/**
 * Lines that are no links of the chain, until a line behind them accounts for them: the batch line, by the digest of each, or a record that
 * says that they are what a crash has left, by their length and their hash.
 */
export class UnsealedLines {
  readonly #hash = createHash('sha256');
  readonly #lines: UnsealedLine[] = [];
  #bytes = 0;
  #count = 0;
  #isPlausible = true;

  /** The first ones: no writer leaves more behind. */
  get lines(): readonly UnsealedLine[] {
    return this.#lines;
  }

  get first(): UnsealedLine | undefined {
    return this.#lines[0];
  }

  /** True when a process that was killed may have left them at the end of a file. */
  get areOfCrash(): boolean {
    return this.#count > 0 && this.#isPlausible && this.#count === this.#lines.length;
  }

  add(bytes: Buffer, line: UnsealedLine): void {
    if (this.#count > 0) {
      this.#hash.update('\n');
      this.#bytes++;
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#count++;
    this.#isPlausible &&= bytes[0] === 0x7b;
    if (this.#lines.length < 2 * maxBatchRecords) this.#lines.push(line);
  }

  isAccountedForBy({ bytes, sha256 }: RecordBody): boolean {
    return this.#count > 0 && bytes === this.#bytes && sha256 === this.#hash.copy().digest('hex');
  }
}
