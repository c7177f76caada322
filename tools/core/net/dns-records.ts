import type { promises } from 'node:dns';
import { decodeUtf8, replacedResult } from '../../../plugins/shared/text/utf8.ts';

type Resolver = InstanceType<typeof promises.Resolver>;

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'TXT' | 'SRV' | 'CAA' | 'SOA' | 'PTR';

export type DnsRecord = Readonly<Record<string, string | number | boolean>>;

/** Query for each type, and the form of its records. */
export const queries: Readonly<Record<RecordType, (resolver: Resolver, name: string) => Promise<readonly DnsRecord[]>>> = {
  A: async (resolver, name) => (await resolver.resolve4(name, { ttl: true })).map(({ address, ttl }) => ({ address, ttl })),
  AAAA: async (resolver, name) => (await resolver.resolve6(name, { ttl: true })).map(({ address, ttl }) => ({ address, ttl })),
  CNAME: async (resolver, name) => named(await resolver.resolveCname(name)),
  NS: async (resolver, name) => named(await resolver.resolveNs(name)),
  PTR: async (resolver, name) => named(await resolver.resolvePtr(name)),
  MX: async (resolver, name) => byPriority((await resolver.resolveMx(name)).map(({ exchange, priority }) => ({ exchange, priority }))),
  SRV: async (resolver, name) =>
    byPriority((await resolver.resolveSrv(name)).map(({ name: host, port, priority, weight }) => ({ name: host, port, priority, weight }))),
  // Node decodes the bytes as Latin-1; in practice they are UTF-8.
  TXT: async (resolver, name) =>
    (await resolver.resolveTxt(name)).map((parts) => {
      const decoded = decodeUtf8(Buffer.from(parts.join(''), 'latin1'));
      return { text: decoded.text, ...replacedResult(decoded) };
    }),
  CAA: async (resolver, name) =>
    (await resolver.resolveCaa(name)).map(({ critical, ...tagged }) => {
      const [[tag, value] = ['', '']] = Object.entries(tagged);
      return { tag, value: String(value), critical: critical > 0 };
    }),
  SOA: async (resolver, name) => {
    const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(name);
    return [{ name_server: nsname, hostmaster, serial, refresh, retry, expire, minimum_ttl: minttl }];
  },
};

function named(names: readonly string[]): DnsRecord[] {
  return names.map((name) => ({ name }));
}

function byPriority<T extends { readonly priority: number }>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => a.priority - b.priority);
}
