import type { LockSection } from './lock-file.ts';

/** One operation of an accepted document. */
export interface AcceptedOperation {
  /** The name of its tool, which stays even if the rules for names change. */
  readonly tool: string;
  /** Digest of the tool definition with its schemas: shows which operations a change of the document concerns. */
  readonly digest: string;
}

/** The accepted state of a source that is a document. */
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
    for (const line of text('operations').split('\n')) {
      if (line === '') continue;
      const [key, operation] = parseLine(line) ?? fail(`each line of "operations" to be an operation, its tool and a digest`);
      operations.set(key, operation);
    }
    return { document: text('document'), digest: text('digest'), hosts, operations };
  },
  format: ({ document, digest, hosts, operations }) => ({
    document,
    digest,
    hosts: hosts.toSorted(),
    operations: [...operations]
      .map(formatLine)
      .toSorted()
      .map((line) => `${line}\n`)
      .join(''),
  }),
};

/** Writes an operation in one line: thousands of maps would take YAML a third of a second at each start. */
function formatLine([key, { tool, digest }]: readonly [string, AcceptedOperation]): string {
  return `${/^[\x21-\x7e]+ [\x21-\x7e]+$/.test(key) ? key : JSON.stringify(key)} ${tool} ${digest}`;
}

function parseLine(line: string): [key: string, AcceptedOperation] | undefined {
  const [, written, tool, digest] = /^(.+) (\S+) (\S+)$/.exec(line) ?? [];
  const key = written?.startsWith('"') === true ? textIn(written) : written;
  return key === undefined || tool === undefined || digest === undefined ? undefined : [key, { tool, digest }];
}

function textIn(json: string): string | undefined {
  try {
    // No number: a text.
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function mapOf(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  return value instanceof Map ? value : undefined;
}
