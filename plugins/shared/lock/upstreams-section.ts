import type { LockSection } from './lock-file.ts';

/** The accepted state of a server. */
export interface UpstreamEntry {
  /** Digest of the accepted definitions. */
  readonly digest: string;
  /** Digests of the tools, by the name that the server gives, so that git shows which changed. */
  readonly tools: ReadonlyMap<string, string>;
  /** Tools that were accepted as read-only, by the name that the server gives. */
  readonly readOnly: readonly string[];
}

/** The section `upstreams` of the lock. */
export const upstreamsSection: LockSection<UpstreamEntry> = {
  name: 'upstreams',
  parse(value, fail) {
    if (!(value instanceof Map)) return fail('a map');
    const digest = value.get('digest');
    if (typeof digest !== 'string') return fail('"digest" to be a text');
    const tools = value.get('tools') ?? new Map();
    if (!(tools instanceof Map) || ![...tools].flat().every((text) => typeof text === 'string'))
      return fail('"tools" to be a map of texts');
    const readOnly = value.get('read_only') ?? [];
    if (!Array.isArray(readOnly) || !readOnly.every((name) => typeof name === 'string')) return fail('"read_only" to be a list of texts');
    return { digest, tools, readOnly };
  },
  format: ({ digest, tools, readOnly }) => ({
    digest,
    ...(readOnly.length === 0 ? {} : { read_only: readOnly.toSorted() }),
    tools: new Map([...tools].sort(([one], [other]) => (one < other ? -1 : 1))),
  }),
};
