import path from 'node:path';
import type { Chain } from './chain.ts';
import { type Head, headPath, readHead } from './head-file.ts';

/** Compares a trail with its head, as read before the trail: a trail in use only grows. */
export class HeadCheck {
  readonly #name: string;
  readonly #head: Head;
  #isSeen = false;

  private constructor(name: string, head: Head) {
    this.#name = name;
    this.#head = head;
  }

  static async read(trail: string, chain: Chain): Promise<HeadCheck> {
    return new HeadCheck(path.basename(headPath(trail)), await readHead(trail, chain));
  }

  onRecord(hash: string): void {
    this.#isSeen ||= this.#head.type === 'record' && this.#head.end.hash === hash;
  }

  /** True when the head names a record. */
  get namesRecord(): boolean {
    return this.#head.type === 'record' && this.#head.end.seq > 0;
  }

  /** True when the trail has the record that the head names, and it is not the last: a killed process may have left more after it. */
  isBehind(last: string | undefined): boolean {
    return this.#head.type === 'record' && this.problem === undefined && this.#head.end.hash !== last;
  }

  get problem(): string | undefined {
    if (this.#head.type === 'broken') return `"${this.#name}" beside it does not verify: it was changed`;
    if (this.#head.type === 'none' || this.#isSeen || !this.namesRecord) return undefined;
    return `"${this.#name}" names record ${this.#head.end.seq}, which is not there: records at the end were cut off or replaced`;
  }

  get note(): string | undefined {
    return this.#head.type === 'none'
      ? `"${this.#name}" is missing, and without it records that were cut off at the end are not noticed`
      : undefined;
  }
}
