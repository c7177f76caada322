import { type CachedListing, LongWork } from '../../../kernel/index.ts';

/** The start of a file: what every start reads. Parts follow, each as JSON in UTF-8. */
interface Index {
  readonly head: unknown;
  /** The end of each part, in bytes behind the index. */
  readonly ends: readonly number[];
}

const lengthBytes = 4;

/** Parts are joined up to this size, in bytes. */
const chunkBytes = 1024 * 1024;

/** Serializes a listing: the length of the index, the index, and the parts. Yields to the event loop in between. */
export async function serializeListing(listing: CachedListing): Promise<readonly Buffer[]> {
  const work = new LongWork();
  const chunks: Buffer[] = [];
  const ends: number[] = [];
  let [texts, textBytes, end]: [Buffer[], number, number] = [[], 0, 0];
  for (let part = 0; part < listing.length; part++) {
    if (work.isDue) await work.yieldToEventLoop();
    const text = Buffer.from(JSON.stringify(listing.part(part)));
    texts.push(text);
    textBytes += text.length;
    end += text.length;
    ends.push(end);
    if (textBytes < chunkBytes) continue;
    chunks.push(Buffer.concat(texts));
    [texts, textBytes] = [[], 0];
  }
  const index = Buffer.from(JSON.stringify({ head: listing.head, ends } satisfies Index));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(index.length);
  return [length, index, ...chunks, Buffer.concat(texts)];
}

/** Returns the listing in the bytes of `serializeListing`. A part is parsed each time it is asked for. Throws for other bytes. */
export function readStoredListing(content: Buffer): CachedListing {
  const start = lengthBytes + content.readUInt32LE(0);
  // Own text: written by an earlier start.
  const { head, ends } = JSON.parse(content.toString('utf8', lengthBytes, start)) as Index;
  return {
    head,
    length: ends.length,
    part: (index) => {
      const from = start + (index === 0 ? 0 : (ends[index - 1] as number));
      // Own text: written by an earlier start.
      return JSON.parse(content.toString('utf8', from, start + (ends[index] as number)));
    },
  };
}
