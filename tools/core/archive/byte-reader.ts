/** Reads exact numbers of bytes from a source that comes in chunks. */
export class ByteReader {
  /** Bytes that were taken. */
  position = 0;
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Fewer only where the source ends. */
  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(size)) parts.push(part);
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** The next bytes, as they come. Ends early where the source ends. */
  async *parts(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next();
        if (next.done === true) return;
        this.#rest = next.value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      this.position += part.length;
      left -= part.length;
      yield part;
    }
  }

  /** How many bytes were skipped. */
  async skip(size: number): Promise<number> {
    const from = this.position;
    for await (const _ of this.parts(size));
    return this.position - from;
  }

  /** Lets go of the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
