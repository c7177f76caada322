import type { ChainEnd, ChainRecord, RecordBody } from '../chain.ts';

/** The entry of one segment in the index. */
export interface SegmentEntry {
  /** The chain end before the segment's first record. It has the hash of the entry, so that a segment cannot take the place of another. */
  readonly start: ChainEnd;
  /** The last record of each of its rotated files. */
  readonly rotated: readonly ChainEnd[];
}

/** Returns the record that enters a new segment. */
export function beginEntry(segment: string): RecordBody {
  return { event: 'segment', segment, time: new Date().toISOString() };
}

/** Returns the record that enters the last record of a file of a segment, before that file is rotated. */
export function rotationEntry(segment: string, { seq, hash }: ChainEnd): RecordBody {
  return { event: 'rotated', segment, last_hash: hash, last_seq: seq, time: new Date().toISOString() };
}

/** The segments of an index, collected from its records. */
export class IndexEntries {
  readonly #segments = new Map<string, { start: ChainEnd; rotated: ChainEnd[] }>();

  add({ hash, body }: Pick<ChainRecord, 'hash' | 'body'>): void {
    const { event, segment, last_seq: seq, last_hash: last } = body;
    if (typeof segment !== 'string') return;
    // The first entry counts: a later one cannot change where a segment begins.
    if (event === 'segment' && !this.#segments.has(segment)) this.#segments.set(segment, { start: { seq: 0, hash }, rotated: [] });
    if (event === 'rotated' && typeof seq === 'number' && typeof last === 'string')
      this.#segments.get(segment)?.rotated.push({ seq, hash: last });
  }

  get(segment: string): SegmentEntry | undefined {
    return this.#segments.get(segment);
  }

  get names(): readonly string[] {
    return [...this.#segments.keys()];
  }
}
