/** A value that no header can hold as it is (MCP 2026-07-28, Streamable HTTP, Value Encoding). */
const encoded = /^=\?base64\?(.*)\?=$/s;

/** What a header says; undefined where it is encoded and that is not the one way to encode anything (RFC 4648, 4). */
export function headerValue(header: string): string | undefined {
  const text = encoded.exec(header)?.[1];
  if (text === undefined) return header;
  const bytes = Buffer.from(text, 'base64');
  // Own text: a header that must equal a parameter; another one differs
  return bytes.toString('base64') === text ? bytes.toString('utf8') : undefined;
}
