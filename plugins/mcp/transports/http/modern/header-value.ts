/** Encoded form of a value that no header can hold (MCP 2026-07-28, Streamable HTTP, Value Encoding). */
const encoded = /^=\?base64\?(.*)\?=$/s;

/** Returns the decoded value of a header; undefined when its Base64 is not canonical (RFC 4648, 4). */
export function headerValue(header: string): string | undefined {
  const text = encoded.exec(header)?.[1];
  if (text === undefined) return header;
  const bytes = Buffer.from(text, 'base64');
  // Own text: it must equal a parameter, so a replaced character makes it differ.
  return bytes.toString('base64') === text ? bytes.toString('utf8') : undefined;
}
