/** Bytes of the byte order mark of UTF-8 at the beginning: 3 or 0. It is no part of the text (RFC 8259, 8.1). */
export function byteOrderMarkLength(bytes: Buffer): 0 | 3 {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
