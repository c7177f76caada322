import { createHash } from 'node:crypto';
import { type BatchMember, maxBatchRecords, type RecordBody } from './chain.ts';
import type { Finding } from './verify-report.ts';

/** A line that is no link of the chain: a record of a batch, or half a line (without `member`). */
export interface UnsealedLine {
  /** The problem to report if no later line accounts for it. */
  readonly finding: Finding;
  readonly member?: BatchMember;
}

/**
 * Lines that are no links of the chain, until a later line accounts for them. A batch line does so by the digest of each; a `recovered` record,
 * written after a crash, by their total length and hash.
 */
export class UnsealedLines {
  readonly #hash = createHash('sha256');
  readonly #lines: UnsealedLine[] = [];
  #bytes = 0;
  #count = 0;
  #isPlausible = true;

  /** The first lines, bounded: no writer leaves more. */
  get lines(): readonly UnsealedLine[] {
    return this.#lines;
  }

  get first(): UnsealedLine | undefined {
    return this.#lines[0];
  }

  /** True when a killed process may have left them at the end of a file. */
  get mayBeFromCrash(): boolean {
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
