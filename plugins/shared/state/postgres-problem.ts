import { excerpt, messageOf } from '../../../kernel/index.ts';

/** Advice by error code: of the system, or of PostgreSQL (appendix A of its manual). */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: start the server, or correct host and port of the URL',
  ENOTFOUND: 'Correct the host of the URL',
  EAI_AGAIN: 'The host of the URL could not be looked up: correct it, or the name server of this machine',
  '28P01': 'Correct user and password of the URL (percent-encoded)',
  '28000': 'Let this role log in from here (pg_hba.conf), or correct the user of the URL',
  '3D000': 'Create the database, or correct its name in the URL',
  '42501': 'Let the role create tables in the first schema of its search path',
  '25006': 'Name the server that writes, or all of them: host1:port1,host2:port2',
  '53300': 'Raise max_connections of the server, or lower the option maxConnections',
};

/** Messages of the library `pg` that need other words. */
const reworded: Readonly<Record<string, string>> = {
  'timeout expired': 'the server opened no connection in time',
  'timeout exceeded when trying to connect': 'all connections of this process were in use for too long',
};

/** Describes a connection problem in a sentence or two without a full stop. */
export function postgresProblem(error: unknown): string {
  // An AggregateError: a name with several addresses, all of which failed.
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const message = messageOf(first);
  const what = Object.hasOwn(reworded, message) ? reworded[message] : excerpt(message);
  const todo = advice[String((first as { code?: unknown } | undefined)?.code)];
  return todo === undefined ? `${what}` : `${what}. ${todo}`;
}
