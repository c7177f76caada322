import { segmentsOf } from './segments.ts';

interface ChunkOptions {
  /** Maximum code points of a chunk. */
  readonly size: number;
  /** Maximum code points that a chunk repeats from the end of the one before. Less than `size`. */
  readonly overlap: number;
}

interface Piece {
  readonly text: string;
  /** Length in code points. */
  readonly length: number;
}

/**
 * Divides a text into chunks that end between words and are as long as possible. Without overlap they join to the text again. White space
 * belongs to the word before it. A word longer than a chunk is divided at word borders (UAX #29), then graphemes, then code points.
 */
export function* chunksOf(text: string, { size, overlap }: ChunkOptions): Generator<string> {
  let chunk: Piece[] = [];
  let length = 0;
  for (const piece of piecesOf(text, size)) {
    if (length + piece.length > size) {
      yield joined(chunk);
      chunk = tailOf(chunk, Math.min(overlap, size - piece.length));
      length = lengthOf(chunk);
    }
    chunk.push(piece);
    length += piece.length;
  }
  if (chunk.length > 0) yield joined(chunk);
}

function* piecesOf(text: string, size: number): Generator<Piece> {
  for (const [word] of text.matchAll(/\S+\s*|\s+/g)) yield* dividePiece(word, size, ['word', 'grapheme']);
}

function* dividePiece(text: string, size: number, finer: readonly ('word' | 'grapheme')[]): Generator<Piece> {
  const length = codePoints(text);
  const [granularity, ...rest] = finer;
  if (length <= size) yield { text, length };
  else if (granularity === undefined) for (const character of text) yield { text: character, length: 1 };
  else for (const { segment } of segmentsOf(text, granularity)) yield* dividePiece(segment, size, rest);
}

/** Returns the last pieces that fit into the room. */
function tailOf(pieces: readonly Piece[], room: number): Piece[] {
  let start = pieces.length;
  for (let remaining = room; start > 0; start--) {
    remaining -= pieces[start - 1]?.length ?? 0;
    if (remaining < 0) break;
  }
  return pieces.slice(start);
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
