import { isUtf8 } from 'node:buffer';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** A text decoded from bytes. */
export interface DecodedText {
  /** The text without byte order mark. */
  readonly text: string;
  /** Number of U+FFFD characters in `text` that replace bytes that are not UTF-8; 0 when all bytes were. */
  readonly replaced: number;
}

/** Part of a result whose text was decoded from bytes. Absent when all bytes were UTF-8. */
export interface ReplacedResult {
  readonly replaced?: number;
}

/**
 * Decodes foreign bytes, whatever they are. Removes a byte order mark at the beginning. Replaces bytes that are not UTF-8 by U+FFFD, and
 * counts them. `isCut`: true to drop a character that the end cuts in two. `keepsMark`: true for bytes that are not the beginning.
 */
export function decodeUtf8(bytes: Uint8Array, { isCut = false, keepsMark = false } = {}): DecodedText {
  // Gives the same for UTF-8 bytes, in a fraction of the time.
  if (isUtf8(bytes))
    return { text: withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(), keepsMark), replaced: 0 };
  const text = new TextDecoder('utf-8', { ignoreBOM: keepsMark }).decode(bytes, { stream: isCut });
  if (!text.includes('\uFFFD')) return { text, replaced: 0 };
  return { text, replaced: text.split('\uFFFD').length - 1 - writtenReplacements(bytes) };
}

function withoutMark(text: string, keepsMark: boolean): string {
  return !keepsMark && text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Decodes bytes in the encoding of a label (Encoding Standard); an unknown label means UTF-8. For other encodings every U+FFFD counts as
 * replaced: few of them can write that character. `isCut`: see `decodeUtf8`.
 */
export function decodeAs(bytes: Uint8Array, label = 'utf-8', { isCut = false } = {}): DecodedText {
  const decoder = decoderFor(label);
  if (decoder === undefined || decoder.encoding === 'utf-8') return decodeUtf8(bytes, { isCut });
  // Without `stream` Node 20 takes windows-1252 for ISO 8859-1.
  const text = decoder.decode(bytes, { stream: true }) + (isCut ? '' : decoder.decode());
  return { text, replaced: text.split('\uFFFD').length - 1 };
}

/** True for the label of an encoding that can be decoded. */
export function isEncoding(label: string): boolean {
  return decoderFor(label) !== undefined;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Returns the part of a result that counts the replaced characters in its texts. */
export function replacedResult(...texts: readonly DecodedText[]): ReplacedResult {
  const replaced = texts.reduce((sum, text) => sum + text.replaced, 0);
  return replaced === 0 ? {} : { replaced };
}

/**
 * Decodes UTF-8 bytes, without byte order mark. Undefined when they are not UTF-8. `keepsMark`: true for a text that is written back.
 * `isCut`: see `decodeUtf8`.
 */
export function strictUtf8(bytes: Uint8Array, { keepsMark = false, isCut = false } = {}): string | undefined {
  if (!isCut && !isUtf8(bytes)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

/**
 * Returns a streaming decoder that throws TypeError for invalid bytes: UTF-16 after a UTF-16 byte order mark, else UTF-8. The mark is no
 * part of the text.
 */
export function strictDecoder(head: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = head;
  const label = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(label, { fatal: true });
}

/**
 * Decodes a file that an operator writes, without byte order mark. Throws CONFIG_INVALID with the file and the position of its first byte
 * that is not UTF-8.
 */
export function textOfFile(bytes: Uint8Array, file: string): string {
  const text = strictUtf8(bytes);
  if (text === undefined) throw new ToolkitError('CONFIG_INVALID', `"${excerpt(file)}" cannot be read: ${notUtf8(bytes)}.`, { file });
  return text;
}

/** Describes bytes that are not UTF-8: position and advice. Continues a sentence. */
export function notUtf8(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return `expected UTF-8, received ${isUtf16 ? 'UTF-16' : 'another encoding'} (byte ${firstNonUtf8(bytes) ?? 0}). Save it as UTF-8`;
}

/** Returns the index of the first byte that is not UTF-8; undefined when all are. */
export function firstNonUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const begins = (length: number): string | undefined => strictUtf8(bytes.subarray(0, length), { keepsMark: true, isCut: true });
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (begins(middle) === undefined) invalid = middle;
    else valid = middle;
  }
  // Not counting the incomplete character that begins there.
  return Buffer.byteLength(begins(valid) ?? '');
}

/** Counts U+FFFD characters that are in the bytes themselves. Safe to search bytewise: their first byte is never inside another character. */
function writtenReplacements(bytes: Uint8Array): number {
  const written = Buffer.from([0xef, 0xbf, 0xbd]);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = all.indexOf(written); at !== -1; at = all.indexOf(written, at + written.length)) count += 1;
  return count;
}
