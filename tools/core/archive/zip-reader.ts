import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { RandomAccessReader } from 'yauzl';

const blockBytes = 65_536;

/**
 * Number of cached blocks. The central directory and the contents are read alternately, and either may cross the end of a
 * block.
 */
const keptBlocks = 4;

/**
 * Returns a reader with a cache of blocks for yauzl. yauzl reads some forty bytes of an entry at a time, at three positions,
 * and most files are smaller than a block: each system call costs more than all work on its result.
 */
export async function zipReader(file: FileHandle): Promise<RandomAccessReader> {
  const [yauzl, { LRUCache }] = await Promise.all([import('yauzl'), import('lru-cache')]);
  const blocks = new LRUCache<number, Promise<Buffer>>({ max: keptBlocks });

  function blockAt(index: number): Promise<Buffer> {
    const known = blocks.get(index) ?? readBlock(index * blockBytes);
    blocks.set(index, known);
    return known;
  }

  async function readBlock(position: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(blockBytes), 0, blockBytes, position);
    return buffer.subarray(0, bytesRead);
  }

  /** Copies bytes into the target and returns their number: fewer at the end of the file. */
  async function copyInto(target: Buffer, position: number): Promise<number> {
    let copied = 0;
    while (copied < target.length) {
      const at = position + copied;
      const block = await blockAt(Math.floor(at / blockBytes));
      const bytes = block.copy(target, copied, at % blockBytes);
      if (bytes === 0) break;
      copied += bytes;
    }
    return copied;
  }

  /** Yields a range of the file, up to its end. A range larger than a block bypasses the cache. */
  async function* content(start: number, end: number): AsyncGenerator<Buffer> {
    const isSmall = end - start <= blockBytes;
    for (let at = start; at < end; ) {
      const part = Buffer.allocUnsafe(Math.min(end - at, blockBytes));
      const bytes = isSmall ? await copyInto(part, at) : (await file.read(part, 0, part.length, at)).bytesRead;
      if (bytes === 0) return;
      at += bytes;
      yield part.subarray(0, bytes);
    }
  }

  return new (class extends yauzl.RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null, bytes?: number) => void,
    ): void {
      copyInto(buffer.subarray(offset, offset + length), position).then(
        (bytes) => done(null, bytes),
        (error: Error) => done(error),
      );
    }

    override createReadStream({ start, end }: { readonly start: number; readonly end: number }): Readable {
      return Readable.from(content(start, end), { objectMode: false });
    }
  })();
}
