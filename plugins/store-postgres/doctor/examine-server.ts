import type pg from 'pg';
import type { Finding } from '../../../kernel/index.ts';
import { postgresProblem } from '../../shared/state/postgres-problem.ts';
import { nameOfDatabase } from '../../shared/state/postgres-url.ts';

const check = 'Store server';

/** Oldest version that is supported, as `server_version_num`. */
const minVersion = 130_000;

export interface ServerReport {
  readonly url: string;
  readonly finding: Finding;
  /** True for a server that takes writes. */
  readonly isWriter: boolean;
}

/** Reports version and role of one server. `client`: not connected yet; ends here. */
export async function examineServer(url: string, client: pg.Client): Promise<ServerReport> {
  const name = nameOfDatabase(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; number: number; standby: boolean; read_only: boolean; role: string }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number, current_user as role,
         pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`,
    );
    const [server] = rows;
    if (server === undefined) throw new Error('the server gave no answer');
    const what = `${name}: PostgreSQL ${server.version}, role ${server.role}`;
    return { url, isWriter: !server.read_only, finding: findingOf(what, server) };
  } catch (error) {
    const finding: Finding = { check, state: 'problem', message: `${name}: ${postgresProblem(error)}` };
    return { url, isWriter: false, finding };
  } finally {
    await client.end().catch(() => {});
  }
}

function findingOf(what: string, { number, standby, read_only }: { number: number; standby: boolean; read_only: boolean }): Finding {
  if (number < minVersion)
    return { check, state: 'problem', message: `${what}, which is too old`, hint: 'Upgrade it to PostgreSQL 13 or newer.' };
  if (standby) return { check, state: 'ok', message: `${what}, a standby: used once it is promoted` };
  if (!read_only) return { check, state: 'ok', message: `${what}, takes writes` };
  const hint = 'Unset default_transaction_read_only of the server, the database or the role, or name the server that writes.';
  return { check, state: 'problem', message: `${what}, is read-only`, hint };
}
