import { isObject } from '../form/schema-node.ts';
import { nameInWords } from './status-words.ts';

/** A part of the state page, in the words of a person. */
export interface StatusPart {
  readonly name: string;
  readonly title: string;
  readonly lead?: string;
  /** Sentence in place of an empty part. */
  readonly none: string;
  readonly value: unknown;
}

/** The words for the statuses that the built-in plugins have, in the order of the page. */
const known: readonly Omit<StatusPart, 'value'>[] = [
  { name: 'sessions', title: 'Sessions', lead: 'Clients that are connected over HTTP.', none: 'No client is connected.' },
  {
    name: 'queues',
    title: 'Limits and queues',
    lead: 'Rate limits in use, and the calls that wait for one.',
    none: 'No limit is in use, and no call waits for one.',
  },
  {
    name: 'circuits',
    title: 'Circuits',
    lead: 'Services that failed too often. Calls to them are refused until a test call succeeds.',
    none: 'No service has failed too often.',
  },
  {
    name: 'upstreams',
    title: 'Other MCP servers',
    lead: 'Connections to the servers of the plugin upstreams, and their calls.',
    none: 'No server is configured.',
  },
  {
    name: 'workers',
    title: 'Workers',
    lead: 'Processes and threads that run the functions of tools, apart from the server.',
    none: 'No worker runs.',
  },
];

/** The statuses that are one table: each is a pool of workers. */
const pools = { python: 'Python processes', threads: 'Threads', processes: 'Node.js processes' } as const;

/** Returns a row for each limit in use: of the calls at once, or of those that begin within a time. Undefined for statuses that are not of limit-rate. */
function limitRows(queues: unknown): readonly object[] | undefined {
  if (!isObject(queues)) return undefined;
  const rows = Object.entries(queues).flatMap(([limit, permits]) =>
    Object.entries(isObject(permits) ? permits : { permits }).map(([kind, used]) => ({ limit, kind, used })),
  );
  return rows.every(({ used }) => isObject(used) && typeof used['taken'] === 'number')
    ? rows.map(({ limit, kind, used }) => {
        const { taken, waiting = {} } = used as { readonly taken: number; readonly waiting?: Readonly<Record<string, number>> };
        return { limit, of: kind === 'starts' ? 'calls that begin' : 'calls at once', used: taken, waiting: sum(Object.values(waiting)) };
      })
    : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the parts of a status: the known ones first, those of other plugins by their names. */
export function statusParts(status: Readonly<Record<string, unknown>>): readonly StatusPart[] {
  const workers = Object.entries(pools).flatMap(([name, title]) =>
    Object.hasOwn(status, name) ? [{ name: title, ...(status[name] as object) }] : [],
  );
  const limits = limitRows(status['queues']);
  const rest = Object.fromEntries(Object.entries(status).filter(([name]) => !Object.hasOwn(pools, name)));
  const all: Readonly<Record<string, unknown>> = {
    ...rest,
    ...(workers.length === 0 ? {} : { workers }),
    ...(limits === undefined ? {} : { queues: limits }),
  };
  const ordered = known.flatMap((part) => (Object.hasOwn(all, part.name) ? [{ ...part, value: all[part.name] }] : []));
  const others = Object.entries(all).filter(([name]) => !known.some((part) => part.name === name));
  return [...ordered, ...others.map(([name, value]) => ({ name, title: nameInWords(name), none: 'Nothing to show now.', value }))];
}
