import dns from 'node:dns';
import { type ErrorCode, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { ReplacedResult } from '../../../plugins/shared/text/utf8.ts';
import { startDeadline, untilAborted } from './deadline.ts';
import { questionOf } from './dns-question.ts';
import { type DnsRecord, queries, type RecordType } from './dns-records.ts';

interface LookupParameters {
  readonly name: string;
  readonly type: RecordType;
}

/** Time limit for all servers together, in milliseconds. */
const limitMs = 5000;

const dnsPort = 53;

/**
 * Returns the records of a name. Throws INVALID_PARAMETERS for the name, NOT_FOUND when it does not exist, UPSTREAM_UNAVAILABLE
 * when no server answers, TIMEOUT, and OUTBOUND_BLOCKED for a reverse lookup of an address that the outbound guard refuses:
 * names reveal the hosts of a private network. Addresses of a name are no secret: the guard names them when it refuses.
 */
export async function lookUp(
  { name, type }: LookupParameters,
  context: FunctionContext,
): Promise<{ readonly records: readonly unknown[] } & ReplacedResult> {
  const question = await questionOf(name, type);
  if (question.address !== undefined) await context.addressesOf(question.address, dnsPort);
  const query = { name: question.name, type };
  try {
    const found = await context.exchange('dns', query, () => recordsOf(query, context.signal));
    const replaced = found.reduce((sum, record) => sum + Number(record['replaced'] ?? 0), 0);
    const records = found.map(({ replaced: _counted, ...record }) => record);
    return { records, ...(replaced === 0 ? {} : { replaced }) };
  } catch (error) {
    context.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === 'ENODATA') return { records: [] };
    throw ToolkitError.is(error) ? error : lookupError(error, question.name, type);
  }
}

async function recordsOf({ name, type }: LookupParameters, signal: AbortSignal): Promise<readonly DnsRecord[]> {
  const resolver = openResolver();
  const deadline = startDeadline(signal, limitMs, () => noAnswer(name, type));
  try {
    return await untilAborted(queries[type](resolver, name), deadline.signal);
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw error;
  } finally {
    deadline.end();
    resolver.cancel();
  }
}

/**
 * Creates a resolver with the servers of this process, without a time limit of its own. Other resolvers ignore
 * `dns.setServers`.
 */
function openResolver(): dns.promises.Resolver {
  const resolver = new dns.promises.Resolver({ timeout: 1500, tries: 10 });
  const servers = dns.getServers();
  // Set only when they differ: the list lacks the zones of link-local servers.
  if (servers.join() !== resolver.getServers().join()) resolver.setServers(servers);
  return resolver;
}

const meanings: Readonly<Record<string, { readonly code: ErrorCode; readonly text: string }>> = {
  ENOTFOUND: { code: 'NOT_FOUND', text: 'the name does not exist. Check how it is written' },
  ESERVFAIL: { code: 'UPSTREAM_UNAVAILABLE', text: 'the DNS servers failed (SERVFAIL): the zone may be broken. Try again later' },
  EREFUSED: { code: 'UPSTREAM_UNAVAILABLE', text: 'the DNS servers refuse to answer this (REFUSED)' },
  ECONNREFUSED: { code: 'UPSTREAM_UNAVAILABLE', text: 'no DNS server of this machine can be reached' },
};

function lookupError(error: unknown, name: string, type: RecordType): ToolkitError {
  const { code: errno } = error as NodeJS.ErrnoException;
  const { code, text } = meanings[errno ?? ''] ?? {
    code: 'UPSTREAM_UNAVAILABLE' as const,
    text: `the DNS servers gave no answer that can be used (${excerpt(errno ?? messageOf(error))}). Try again later`,
  };
  const details = { name, ...(errno === undefined ? {} : { errno }) };
  return new ToolkitError(code, `${type} records of "${excerpt(name)}": ${text}.`, details, { cause: error });
}

function noAnswer(name: string, type: RecordType): ToolkitError {
  const message = `${type} records of "${excerpt(name)}": no DNS server of this machine answered within ${limitMs} ms. Try again later.`;
  return new ToolkitError('TIMEOUT', message, { name, timeoutMs: limitMs });
}
