import type { Readable } from 'node:stream';

/** Keeps the first bytes of a stream and drops the rest. Calls `onOverflow` once when the stream is longer. */
export class HeadOfStream {
  readonly #stream: Readable;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #truncated = false;

  constructor(stream: Readable, maxBytes: number, onOverflow: () => void) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, maxBytes - this.#length);
      this.#length += kept.length;
      if (kept.length > 0) this.#chunks.push(kept);
      if (kept.length === chunk.length || this.#truncated) return;
      this.#truncated = true;
      onOverflow();
    });
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  close(): void {
    this.#stream.destroy();
  }
}
