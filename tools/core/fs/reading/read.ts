import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';
import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { fileError } from '../files/file-error.ts';
import { openFile } from '../files/open-file.ts';
import { readFully } from '../files/read-fully.ts';
import { isBinary } from '../files/text-file.ts';

interface ReadParameters {
  readonly path: string;
  readonly offset: number;
  readonly max_bytes: number;
  readonly encoding: 'utf8' | 'base64' | 'latin1';
}

/** Bytes read beyond the limit: they show that the file continues, and complete one character (at most 4 bytes in UTF-8). */
const lookahead = 4;

/** Returns a part of a file as text or base64, as much as fits in the output. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function readFile({ path, offset, max_bytes, encoding }: ReadParameters, context: FunctionContext): Promise<unknown> {
  const { bytes, size } = await readBytes(path, offset, max_bytes + lookahead);
  const [start, end] = encoding === 'utf8' ? wholeCharacters(bytes, offset, max_bytes) : [0, Math.min(bytes.length, max_bytes)];
  const taken = bytes.subarray(start, end);
  const overhead = { content: '', encoding, size, truncated: true, next_offset: offset + end };
  const { content, length } = contentOf(taken, { path, offset, encoding, room: new OutputRoom(context.output.budget, overhead) });
  const truncated = start + length < bytes.length;
  const result = { content, encoding, size, truncated, ...(truncated ? { next_offset: offset + start + length } : {}) };
  const mimeType = encoding === 'base64' && offset === 0 && end === bytes.length ? imageType(taken) : undefined;
  return mimeType === undefined ? result : context.withContent(result, [{ type: 'image', data: taken.toString('base64'), mimeType }]);
}

interface ContentOptions extends Pick<ReadParameters, 'path' | 'offset' | 'encoding'> {
  readonly room: OutputRoom;
}

/** Returns the content that fits, and its length in bytes of the file. */
function contentOf(bytes: Buffer, { path, offset, encoding, room }: ContentOptions): { readonly content: string; readonly length: number } {
  if (encoding !== 'utf8') {
    const text = room.takeText(bytes.toString(encoding));
    // Four characters of base64 are three bytes.
    const content = encoding === 'latin1' || text.length * 3 >= bytes.length * 4 ? text : text.slice(0, text.length - (text.length % 4));
    return { content, length: encoding === 'latin1' ? text.length : Math.min(bytes.length, (content.length / 4) * 3) };
  }
  const text = decodeText(bytes, path, offset === 0);
  const content = room.takeText(text);
  return { content, length: content === text ? bytes.length : bytes.length - Buffer.byteLength(text.slice(content.length)) };
}

export interface TextPart {
  readonly content: string;
  /** Size of the whole file, in bytes. */
  readonly size: number;
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Returns the beginning of a UTF-8 text file, as much as fits. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function readText(path: string, maxBytes: number, room: OutputRoom): Promise<TextPart> {
  const { bytes, size } = await readBytes(path, 0, maxBytes + lookahead);
  const [, end] = wholeCharacters(bytes, 0, maxBytes);
  const { content, length } = contentOf(bytes.subarray(0, end), { path, offset: 0, encoding: 'utf8', room });
  const truncated = length < bytes.length;
  return { content, size, truncated, ...(truncated ? { next_offset: length } : {}) };
}

async function readBytes(path: string, offset: number, length: number): Promise<{ bytes: Buffer; size: number }> {
  const { file, stats } = await openFile(path);
  try {
    // The size from `stat` is not used: the file may grow, and in /proc it is 0.
    return { bytes: await readFully(file, offset, Buffer.allocUnsafe(length)), size: stats.size };
  } catch (error) {
    throw fileError(error, 'read', path);
  } finally {
    await file.close();
  }
}

/**
 * Returns start and end of the whole characters in the first `maxBytes`: at least one character, so that reading makes
 * progress.
 */
function wholeCharacters(bytes: Buffer, offset: number, maxBytes: number): [number, number] {
  const continues = (index: number): boolean => index < bytes.length && ((bytes[index] ?? 0) & 0b1100_0000) === 0b1000_0000;
  let start = 0;
  while (offset > 0 && start < 3 && continues(start)) start += 1;
  let end = Math.max(Math.min(bytes.length, maxBytes), start);
  while (end > start && continues(end)) end -= 1;
  if (end === start && end < bytes.length) {
    end += 1;
    while (continues(end)) end += 1;
  }
  return [start, end];
}

/** Decodes a part of a file. `isStart`: removes a byte order mark. */
function decodeText(bytes: Buffer, path: string, isStart: boolean): string {
  const notUtf8 = (problem: string): ToolkitError =>
    new ToolkitError('EXECUTION_FAILED', `Cannot read "${excerpt(path)}" as utf8: ${problem}.`, { file: path });
  if (isBinary(bytes)) throw notUtf8('it is a binary file (it has null bytes). Set encoding to "base64"');
  const text = strictUtf8(bytes, { keepsMark: !isStart });
  if (text !== undefined) return text;
  throw notUtf8(
    'it is not valid UTF-8. Set encoding to "latin1" when it is text in an old encoding, or to "base64" when it is a binary file',
  );
}

function imageType(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : undefined;
}
