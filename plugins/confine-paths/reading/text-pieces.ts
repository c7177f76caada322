import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openConfined } from '../../shared/confined-files/open-confined.ts';
import { strictDecoder } from '../../shared/text/utf8.ts';
import { notRegularFileError, unreadableError } from './unreadable-error.ts';

/** Bytes that are read and decoded at a time: a few milliseconds of work. */
const chunkBytes = 1_048_576;

/** Bytes at the beginning of a file that are searched for a null byte, which marks a binary file. */
const headBytes = 8000;

/**
 * Reads the text of a file in pieces that never split a character. The encoding is UTF-8, or UTF-16 with a byte order mark,
 * which is not part of the text. A gzip file is unpacked. The path was confined. The file is opened for the first piece and
 * closed after the last. Throws NOT_FOUND, and EXECUTION_FAILED for a file that is not text.
 */
export async function* readTextPieces(path: string, signal: AbortSignal): AsyncGenerator<string, void> {
  try {
    const { file } = await openConfined(path, (stats) => notRegularFileError(stats, path));
    try {
      yield* decodePieces(bytesOf(file, await isGzip(file), signal), path);
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadableError(error, path);
  }
}

async function isGzip(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(3), 0, 3, 0);
  // RFC 1952: two bytes for gzip, one for deflate. No UTF-8 text begins with them.
  return bytesRead === 3 && buffer.equals(Buffer.from([0x1f, 0x8b, 0x08]));
}

function bytesOf(file: FileHandle, packed: boolean, signal: AbortSignal): AsyncIterable<Buffer> {
  const stream = file.createReadStream({ start: 0, highWaterMark: chunkBytes, autoClose: false, signal });
  // Errors of both streams are thrown by the reader.
  return packed ? pipeline(stream, createGunzip({ chunkSize: chunkBytes }), () => {}) : stream;
}

async function* decodePieces(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  // A file that arrives in small pieces must not hide its byte order mark.
  let head = Buffer.alloc(0);
  const pieceOf = (bytes: Uint8Array, isLast: boolean): string => {
    decoder ??= decoderFor(bytes, path);
    return decoder.decode(bytes, { stream: !isLast });
  };
  for await (const chunk of chunks) {
    if (decoder === undefined && head.length + chunk.length < headBytes) {
      head = Buffer.concat([head, chunk]);
      continue;
    }
    const piece = pieceOf(decoder === undefined && head.length > 0 ? Buffer.concat([head, chunk]) : chunk, false);
    if (piece !== '') yield piece;
  }
  const last = pieceOf(decoder === undefined ? head : Buffer.alloc(0), true);
  if (last !== '') yield last;
}

function decoderFor(head: Uint8Array, path: string): InstanceType<typeof TextDecoder> {
  const decoder = strictDecoder(head);
  if (decoder.encoding === 'utf-8' && head.subarray(0, headBytes).includes(0))
    throw unreadableError('it is a binary file (it has null bytes), expected a text', path);
  return decoder;
}
