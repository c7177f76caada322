import type { LockSection } from './lock-file.ts';

/** One operation of an accepted document. */
export interface AcceptedOperation {
  /** The name of its tool, which stays even if the rules for names change. */
  readonly tool: string;
  /** Digest of the tool definition with its schemas: shows which operations a change of the document concerns. */
  readonly digest: string;
}

/** What was accepted of a source that is a document. */
export interface DocumentEntry {
  /** The document as the configuration names it. */
  readonly document: string;
  /** Digest of the accepted copy, all its files and the overlay. */
  readonly digest: string;
  /** Origins to which its tools may send, such as `https://api.box.com`. */
  readonly hosts: readonly string[];
  /** By key of the operation, such as `get /files/{file_id}`. */
  readonly operations: ReadonlyMap<string, AcceptedOperation>;
}

/** The section `documents` of the lock. */
export const documentsSection: LockSection<DocumentEntry> = {
  name: 'documents',
  parse(value, fail) {
    const entry = mapOf(value) ?? fail('a map');
    const text = (name: string): string => {
      const found = entry.get(name);
      return typeof found === 'string' ? found : fail(`"${name}" to be a text`);
    };
    const hosts = entry.get('hosts');
    if (!Array.isArray(hosts) || hosts.some((host) => typeof host !== 'string')) return fail('"hosts" to be a list of texts');
    const operations = new Map<string, AcceptedOperation>();
    for (const [key, operation] of mapOf(entry.get('operations')) ?? fail('"operations" to be a map')) {
      const members = mapOf(operation);
      const [tool, digest] = [members?.get('tool'), members?.get('digest')];
      if (typeof key !== 'string' || typeof tool !== 'string' || typeof digest !== 'string')
        return fail('each of "operations" to have "tool" and "digest"');
      operations.set(key, { tool, digest });
    }
    return { document: text('document'), digest: text('digest'), hosts, operations };
  },
  format: ({ document, digest, hosts, operations }) => ({
    document,
    digest,
    hosts: hosts.toSorted(),
    operations: new Map([...operations].sort(([one], [other]) => (one < other ? -1 : 1))),
  }),
  isFlow: (path) => path[1] === 'operations' && path.length === 3,
};

function mapOf(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  return value instanceof Map ? value : undefined;
}
