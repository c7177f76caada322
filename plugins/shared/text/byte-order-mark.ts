/** Returns the length of the UTF-8 byte order mark at the beginning: 3 or 0 bytes. It is no part of the text (RFC 8259, 8.1). */
export function byteOrderMarkLength(bytes: Buffer): 0 | 3 {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
