import { createHash } from 'node:crypto';
import type { RecordBody } from './chain.ts';
import type { Finding } from './verify-report.ts';

/** More lines than a writer ever leaves behind. */
const maxLines = 100;

/** Lines that are not JSON, until a record behind them says that they are half a line, by its length and its hash. */
export class TornLines {
  readonly #hash = createHash('sha256');
  readonly #findings: Finding[] = [];
  #bytes = 0;

  /** What is wrong with each of them, should nobody account for them. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  add(line: Buffer, finding: Finding): void {
    if (this.#findings.length > 0) {
      this.#hash.update('\n');
      this.#bytes++;
    }
    this.#hash.update(line);
    this.#bytes += line.length;
    if (this.#findings.length < maxLines) this.#findings.push(finding);
  }

  isAccountedForBy({ bytes, sha256 }: RecordBody): boolean {
    return this.#findings.length > 0 && bytes === this.#bytes && sha256 === this.#hash.copy().digest('hex');
  }
}
