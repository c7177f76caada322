import { expect } from 'chai';
import { Calls } from './calls.ts';
import type { RealServer } from './server.ts';

/** State that a statement leaves in its session, and the query by which another call would see it. */
const leftovers: readonly { what: string; leave: string; look: string; value: unknown }[] = [
  { what: 'a setting', leave: "SET work_mem = '1234kB'", look: "SELECT current_setting('work_mem') = '1234kB'", value: false },
  {
    what: 'a setting by function',
    leave: "SELECT set_config('search_path', 'pg_temp', false)",
    look: "SELECT current_setting('search_path') = 'pg_temp'",
    value: false,
  },
  {
    what: 'a setting of its own',
    leave: "SELECT set_config('app.tenant', 'acme', false)",
    look: "SELECT coalesce(current_setting('app.tenant', true), '')",
    value: '',
  },
  { what: 'a role', leave: 'SET ROLE pg_monitor', look: 'SELECT current_user = session_user', value: true },
  { what: 'a user', leave: 'SET SESSION AUTHORIZATION pg_monitor', look: "SELECT session_user = 'pg_monitor'", value: false },
  { what: 'a time limit', leave: 'SET statement_timeout = 1', look: "SELECT current_setting('statement_timeout')", value: '30s' },
  {
    what: 'the right to write',
    leave: 'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
    look: "SELECT current_setting('transaction_read_only')",
    value: 'on',
  },
  {
    what: 'a temporary table',
    leave: 'CREATE TEMP TABLE left_over (id integer)',
    look: "SELECT to_regclass('pg_temp.left_over') IS NULL",
    value: true,
  },
  {
    what: 'a prepared statement',
    leave: 'PREPARE left_over AS SELECT 1',
    look: 'SELECT count(*)::integer FROM pg_prepared_statements',
    value: 0,
  },
  {
    what: 'a cursor',
    leave: 'DECLARE left_over CURSOR WITH HOLD FOR SELECT 1',
    look: "SELECT count(*)::integer FROM pg_cursors WHERE name = 'left_over'",
    value: 0,
  },
  {
    what: 'a lock of the session',
    leave: 'SELECT pg_advisory_lock(4711)',
    look: "SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory'",
    value: 0,
  },
];

export function describeSessions(given: () => RealServer): void {
  describe('a session of postgres_execute_sql', () => {
    for (const { what, leave, look, value } of leftovers) {
      for (const readOnly of [true, false]) {
        if (readOnly && leave.startsWith('CREATE')) continue;
        it(`does not leave ${what} to the next call on the same connection (read_only: ${readOnly})`, async () => {
          const calls = await Calls.open(given());
          const pid = await calls.value('SELECT pg_backend_pid()');
          await calls.run(leave, [], { read_only: readOnly });
          expect(await calls.value(look)).to.equal(value);
          expect(await calls.value('SELECT pg_backend_pid()')).to.equal(pid);
        });
      }
    }

    it('ends the transaction with the call, also after an error', async () => {
      const calls = await Calls.open(given());
      const pid = await calls.value('SELECT pg_backend_pid()');
      for (const sql of ['SELECT 1 / 0', 'SELEC', 'INSERT INTO pg_class DEFAULT VALUES']) await calls.failure('BAD_REQUEST', sql);
      expect(await calls.value('SELECT pg_backend_pid()')).to.equal(pid);
      await given().untilBackends(calls.application, 'idle', 1);
    });

    it('does not keep a lock on what it has read', async () => {
      const server = given();
      const table = await server.makeTable();
      const calls = await Calls.open(server);
      await calls.run(`SELECT * FROM ${table}`);
      await server.rows(`ALTER TABLE ${table} ADD COLUMN more text`);
    });

    it('sends notifications only from calls that may write', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const heard: unknown[] = [];
      const { default: pg } = await import('pg');
      const listener = new pg.Client({ connectionString: server.url() });
      await listener.connect();
      listener.on('notification', ({ payload }) => heard.push(payload));
      await listener.query('LISTEN news');
      await calls.run("SELECT pg_notify('news', 'read')");
      await calls.write("SELECT pg_notify('news', 'written')");
      // What was sent before comes with the answer.
      await listener.query('SELECT 1');
      await listener.end();
      expect(heard).to.deep.equal(['written']);
    });

    it('shows times and bytes in the same way, whatever the role has set', async () => {
      const server = given();
      const role = await server.makeRole('styled-password');
      for (const setting of [
        "datestyle = 'German'",
        "intervalstyle = 'postgres_verbose'",
        "bytea_output = 'escape'",
        'extra_float_digits = -5',
      ])
        await server.rows(`ALTER ROLE ${role} SET ${setting}`);
      const calls = await Calls.open(server, { user: role, password: 'styled-password' });
      const { rows } = await calls.run("SELECT '2026-01-31'::date AS d, '1 day'::interval AS i, '\\xff'::bytea AS b, 1/3::float8 AS f");
      expect(rows).to.deep.equal([{ d: '2026-01-31', i: 'P1D', b: '\\xff', f: 1 / 3 }]);
    });

    it('obeys a role that may only read, and says so', async () => {
      const server = given();
      const role = await server.makeRole('reader-password');
      await server.rows(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
      const calls = await Calls.open(server, { user: role, password: 'reader-password' });
      const { message } = await calls.failure('BAD_REQUEST', 'CREATE TABLE x (id integer)', { read_only: false });
      expect(message).to.include('allows only reading, whatever read_only says');
    });

    for (const sql of [
      "SELECT query_to_xml('DELETE FROM t RETURNING 1', true, true, '')",
      "SELECT query_to_xml('COPY t TO PROGRAM ''cat''', true, true, '')",
    ]) {
      it(`cannot ${sql} in a read-only call`, async () => {
        await (await Calls.open(given())).failure('BAD_REQUEST', sql.replaceAll(' t ', ' pg_class '));
      });
    }

    for (const sql of [
      'COPY pg_class TO STDOUT',
      'COPY (SELECT g FROM generate_series(1, 10000000) AS g) TO STDOUT',
      'COPY pg_description FROM STDIN',
    ]) {
      it(`refuses ${sql} at once and goes on`, async () => {
        const calls = await Calls.open(given());
        const { message } = await calls.failure('BAD_REQUEST', sql, { read_only: false });
        expect(message).to.include('COPY from STDIN or to STDOUT is not possible here');
        expect(await calls.value('SELECT 1')).to.equal(1);
        await given().untilBackends(calls.application, 'active', 0);
      });
    }
  });
}
