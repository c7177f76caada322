import { decodeText, hasByteOrderMark, isUtf8 } from './decode-text.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';

/** Returns the media type from the Content-Type header; when that is missing or unclear, from the bytes. */
export function contentTypeOf(headers: Headers, bytes: Uint8Array): MediaType {
  const declared = mediaTypeOf(headers);
  return declared.kind === 'unknown' ? sniffMediaType(bytes, declared) : declared;
}

/**
 * Detects the type from the bytes: HTML by its beginning, text when the encoding is declared or the bytes are UTF-8, else
 * binary.
 */
function sniffMediaType(bytes: Uint8Array, declared: MediaType): MediaType {
  const isText = declared.charset !== undefined || hasByteOrderMark(bytes) || isUtf8(bytes);
  const kind = isHtml(bytes, declared.charset) ? 'html' : isText ? 'text' : 'binary';
  const guess = { html: 'text/html', text: 'text/plain', binary: 'application/octet-stream' }[kind];
  return { ...declared, kind, essence: declared.essence === '' ? guess : declared.essence };
}

function isHtml(bytes: Uint8Array, charset: string | undefined): boolean {
  const { text: start } = decodeText(bytes.subarray(0, 1024), { kind: 'html', ...(charset === undefined ? {} : { charset }) });
  return /^\s*(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body|meta|title)\b/i.test(start);
}
