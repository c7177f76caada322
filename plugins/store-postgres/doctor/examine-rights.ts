import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Finding } from '../../../kernel/index.ts';
import { postgresProblem } from '../../shared/state/postgres-problem.ts';

/** Opens a connection to the server that writes. The caller ends it. */
export type OpenClient = () => Promise<pg.Client>;

const check = 'Store rights';

/** Time limit for a notification, and for the end of an ended backend, in milliseconds. */
const eventMs = 3000;

interface Right {
  readonly name: string;
  /** Next step where it is missing. */
  readonly hint: string;
  /** Uses the right. Rejects where it is missing. */
  readonly use: (client: pg.Client, open: OpenClient) => Promise<void>;
}

const rights: readonly Right[] = [
  {
    name: 'create tables',
    hint: 'Grant the role CREATE on the first schema of its search path, or give it a schema of its own.',
    async use(client) {
      await client.query('begin');
      await client.query(`create table ${uniqueName()} (id integer)`).finally(() => client.query('rollback'));
    },
  },
  {
    name: 'listen and notify',
    hint: 'Without them a process does not hear of the changes of others.',
    async use(client, open) {
      const other = await open();
      try {
        const channel = uniqueName();
        await other.query(`listen ${channel}`);
        const heard = within(new Promise((resolve) => other.once('notification', resolve)), 'no notification came');
        await Promise.all([heard, client.query(`notify ${channel}`)]);
      } finally {
        await other.end();
      }
    },
  },
  {
    name: 'advisory locks',
    hint: 'A process is known by such a lock of its connection.',
    async use(client, open) {
      const key = randomBytes(8).readBigInt64BE().toString();
      const other = await open();
      try {
        await client.query('select pg_advisory_lock($1)', [key]);
        const { rows } = await other.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [key]);
        if (rows[0]?.locked !== false) throw new Error('two connections hold the same lock');
      } finally {
        await client.query('select pg_advisory_unlock($1)', [key]);
        await other.end();
      }
    },
  },
  {
    name: 'pg_terminate_backend of its own role',
    hint: 'A process that reconnects ends its earlier connection: grant EXECUTE on function pg_terminate_backend.',
    async use(client, open) {
      const other = await open();
      const ended = within(new Promise((resolve) => other.once('end', resolve)), 'the connection did not end');
      const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
      try {
        await Promise.all([client.query('select pg_terminate_backend($1)', [rows[0]?.pid]), ended]);
      } finally {
        await other.end();
      }
    },
  },
];

/** Reports a finding for each right that the role lacks; one finding when it has all. */
export async function examineRights(client: pg.Client, open: OpenClient): Promise<readonly Finding[]> {
  const missing: Finding[] = [];
  for (const { name, hint, use } of rights) {
    try {
      await use(client, open);
    } catch (error) {
      missing.push({ check, state: 'problem', message: `${name}: ${postgresProblem(error)}`, hint });
    }
  }
  return missing.length > 0 ? missing : [{ check, state: 'ok', message: rights.map(({ name }) => name).join(', ') }];
}

function uniqueName(): string {
  return `toolkit_check_${randomBytes(8).toString('hex')}`;
}

function within(event: Promise<unknown>, otherwise: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${otherwise} within ${eventMs / 1000} s`)), eventMs);
    void event.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
