import { maxRecordBytes } from './call-record.ts';
import { type Chain, type ChainEnd, digestOf, maxBatchRecords, memberLine, type RecordText } from './chain.ts';
import type { LineParts } from './trail-file.ts';

/** Maximum size of one write, in characters, so that the system takes it at once. */
const maxWriteCharacters = 64 * 1024;

/** Buffer size that holds any batch: a character takes up to three bytes, one record goes beyond the limit, and the batch line has the digests. */
export const batchBytes: number = 3 * (maxWriteCharacters + maxRecordBytes) + 64 * maxBatchRecords;

/** Records as they are written: each its own link, or all of them one link. */
export interface SealedRecords extends LineParts {
  readonly links: readonly { readonly end: ChainEnd; readonly records: number }[];
  /** Number of records, from the beginning of the queue. */
  readonly records: number;
  /** True when the file has room for them. The first record of a write is written in any case. */
  readonly fits: boolean;
}

export interface SealOptions {
  readonly chain: Chain;
  /** The chain end before the first of them. */
  readonly end: ChainEnd;
  /** Room in the file, in bytes. */
  readonly roomBytes: number;
  /** Buffer for a batch, which is written before the next one is sealed: allocating one for each batch would cost as much as its digests. */
  readonly room: Buffer;
  /** True when only one record may be sealed. */
  readonly isOne: boolean;
}

/** Returns the lines of as many records as fit into the file and into one write. Several records form a batch; near the end of a file each is its own link. */
export function sealRecords(queue: readonly { readonly record: RecordText }[], sealing: SealOptions): SealedRecords {
  const batch = queue.length < 2 || sealing.isOne ? undefined : sealBatch(queue, sealing);
  return batch?.fits === true ? batch : sealOneByOne(queue, sealing);
}

function sealBatch(queue: readonly { readonly record: RecordText }[], { chain, end, roomBytes, room }: SealOptions): SealedRecords {
  const lines: string[] = [];
  let characters = 0;
  for (const { record } of queue) {
    const line = `${memberLine(record, end.seq + lines.length + 1)}\n`;
    lines.push(line);
    characters += line.length;
    if (characters > maxWriteCharacters || lines.length === maxBatchRecords) break;
  }
  const written = room.write(lines.join(''));
  const isAscii = written === characters;
  const digests: string[] = [];
  let from = 0;
  for (const line of lines) {
    const to = from + (isAscii ? line.length : Buffer.byteLength(line));
    digests.push(digestOf(room.subarray(from, to - 1)));
    from = to;
  }
  const sealed = chain.sealBatch(digests, end);
  const bytes = room.subarray(0, written + room.write(`${sealed.line}\n`, written, 'latin1'));
  const links = [{ end: sealed.end, records: lines.length }];
  return { bytes, ends: [bytes.length], links, records: lines.length, fits: bytes.length <= roomBytes };
}

function sealOneByOne(
  queue: readonly { readonly record: RecordText }[],
  { chain, end: first, roomBytes, isOne }: SealOptions,
): SealedRecords {
  const lines: string[] = [];
  const ends: number[] = [];
  const links: { end: ChainEnd; records: number }[] = [];
  let bytes = 0;
  for (const { record } of queue) {
    const { line, end } = chain.seal(record, links.at(-1)?.end ?? first);
    links.push({ end, records: 1 });
    lines.push(`${line}\n`);
    bytes += Buffer.byteLength(line) + 1;
    ends.push(bytes);
    if (isOne || bytes > maxWriteCharacters || bytes > roomBytes) break;
  }
  return { bytes: Buffer.from(lines.join('')), ends, links, records: lines.length, fits: bytes <= roomBytes };
}
