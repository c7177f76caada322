import net from 'node:net';

/**
 * Parses the DNS names and addresses of a subjectAltName in Node's format: `DNS:a.example, IP Address:127.0.0.1`. A value with
 * ambiguous characters is a JSON string there.
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

/** Shortens an IPv6 address; Node writes all its groups. */
function shortAddress(address: string): string {
  return net.isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
