import net from 'node:net';

/**
 * The DNS names and addresses of a subjectAltName in the form of Node: `DNS:a.example, IP Address:127.0.0.1`, with a value as a JSON string
 * where it holds characters that would be misread.
 */
export function subjectNames(subjectAltName: string | undefined): string[] {
  const entries = (subjectAltName ?? '').matchAll(/(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries).flatMap(([, kind, value = '']) => {
    if (kind === 'DNS') return [unquoted(value)];
    return kind === 'IP Address' ? [shortAddress(value)] : [];
  });
}

function unquoted(value: string): string {
  // No number: a quoted text.
  return value.startsWith('"') ? (JSON.parse(value) as string) : value;
}

/** Node writes all groups of an IPv6 address. */
function shortAddress(address: string): string {
  return net.isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
