import type { FileHandle } from 'node:fs/promises';
import { readPiece } from '../rotated-files.ts';

export interface BackwardLine {
  /** Without the line end. Undefined for a line longer than the limit. */
  readonly bytes: Buffer | undefined;
  /** Offset of its first byte. */
  readonly start: number;
  /** Offset after its line end. */
  readonly end: number;
  /** False for a last line without a line end, such as one that is being written. */
  readonly isEnded: boolean;
}

export interface BackwardOptions {
  /** Offset after the last byte to read. */
  readonly end: number;
  /** Maximum length of a line, in bytes. */
  readonly maxBytes: number;
  /** Called after each read of the file. */
  readonly onRead: (bytes: number) => void;
}

/** Size of a read, in bytes: about a hundred records. */
const windowBytes = 64 * 1024;

const noBytes: Buffer = Buffer.alloc(0);

/** Yields the lines of a file from `end` to its beginning, in constant memory. Reads only as far as lines are taken. */
export async function* linesBackwards(handle: FileHandle, { end, maxBytes, onRead }: BackwardOptions): AsyncGenerator<BackwardLine> {
  let lineEnd = end;
  let isEnded = false;
  // The end of a line whose beginning is further ahead in the file. Undefined when it is too long.
  let rest: Buffer | undefined = noBytes;
  const joined = (part: Buffer): Buffer | undefined =>
    rest === undefined || part.length + rest.length > maxBytes ? undefined : rest.length === 0 ? part : Buffer.concat([part, rest]);
  for (let position = end; position > 0; ) {
    const from = Math.max(0, position - windowBytes);
    const piece = await readPiece(handle, from, position - from);
    onRead(piece.length);
    // The file was cut meanwhile.
    if (piece.length < position - from) return;
    let until = piece.length;
    while (until > 0) {
      const at = piece.lastIndexOf(10, until - 1);
      if (at < 0) break;
      const start = from + at + 1;
      if (isEnded || start < end) yield { bytes: joined(piece.subarray(at + 1, until)), start, end: lineEnd, isEnded };
      rest = noBytes;
      until = at;
      lineEnd = start;
      isEnded = true;
    }
    rest = joined(piece.subarray(0, until));
    position = from;
  }
  if (end > 0) yield { bytes: rest, start: 0, end: lineEnd, isEnded };
}
