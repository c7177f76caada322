/** Reads exact numbers of bytes from a source that arrives in chunks. */
export class ByteReader {
  /** Number of bytes taken so far. */
  position = 0;
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; fewer only at the end of the source. */
  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(size)) parts.push(part);
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Yields the next bytes as they arrive. Ends early at the end of the source. */
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

  /** Skips bytes and returns how many there were. */
  async skip(size: number): Promise<number> {
    const from = this.position;
    for await (const _ of this.parts(size));
    return this.position - from;
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
