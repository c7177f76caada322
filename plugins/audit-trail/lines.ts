export interface Line {
  /** 1 for the first. */
  readonly number: number;
  /** Without the line end. Undefined for a line longer than the limit. */
  readonly bytes: Buffer | undefined;
  /** False for a last line without a line end. */
  readonly isEnded: boolean;
}

/** Yields the lines of a stream in constant memory. A line longer than `maxBytes` is yielded without its bytes. */
export async function* linesOf(pieces: AsyncIterable<Buffer> | Iterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (isEnded: boolean): Line => {
    const line = { number: ++number, bytes: length <= maxBytes ? Buffer.concat(parts) : undefined, isEnded };
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of pieces) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take(false);
}
