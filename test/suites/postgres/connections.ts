import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { runSql, sqlToolkit } from '../../tools/postgres/database.ts';
import { Calls } from './calls.ts';
import { type RealServer, uniqueName } from './server.ts';

const password = 'another-password';

async function makeRoles(server: RealServer, count: number): Promise<string[]> {
  const roles: string[] = [];
  while (roles.length < count) roles.push(await server.makeRole(password));
  return roles;
}

export function describeConnections(given: () => RealServer): void {
  describe('connections of postgres_execute_sql', () => {
    it('are used again', async () => {
      const calls = await Calls.open(given());
      const pids = [];
      for (let call = 0; call < 5; call++) pids.push(await calls.value('SELECT pg_backend_pid()'));
      expect(new Set(pids).size).to.equal(1);
    });

    it('are five at most, and further calls wait for one', async () => {
      const server = given();
      const calls = await Calls.open(server);
      await server.holding(async (wait, release) => {
        const sql = `SELECT pg_backend_pid() FROM ${wait}`;
        const pids = Promise.all(Array.from({ length: 15 }, () => calls.value(sql)));
        await server.untilRunning(calls.application, sql, 5);
        await release();
        expect(new Set(await pids).size).to.equal(5);
      });
      expect((await server.backends(calls.application)).length).to.equal(5);
    });

    it('that are all in use for too long are a reason to come back later', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const abort = new AbortController();
      const parameters = { sql: 'SELECT pg_sleep(600)' };
      const busy = Array.from({ length: 5 }, () =>
        rejection(calls.toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters, signal: abort.signal }), 'ABORTED'),
      );
      await server.untilRunning(calls.application, parameters.sql, 5);
      const error = await calls.failure('UPSTREAM_UNAVAILABLE', 'SELECT 1');
      expect(error.message).to.include('All connections').and.include('are in use');
      expect(error.retryable).to.equal(true);
      abort.abort();
      await Promise.all(busy);
    });

    it('are closed with the toolkit', async () => {
      const server = given();
      const calls = await Calls.open(server);
      await Promise.all(Array.from({ length: 5 }, () => calls.run('SELECT 1')));
      expect(await server.backends(calls.application)).to.have.length.greaterThan(0);
      await calls.toolkit.close();
      await server.untilBackends(calls.application, 'any', 0);
    });

    it('of one toolkit may be closed while another works', async () => {
      const server = given();
      const [closed, other] = [await Calls.open(server), await Calls.open(server)];
      await closed.run('SELECT 1');
      await server.holding(async (wait, release) => {
        const sql = `SELECT 'done' FROM ${wait}`;
        const running = other.value(sql);
        await server.untilRunning(other.application, sql);
        await closed.toolkit.close();
        await release();
        expect(await running).to.equal('done');
      });
      expect(await other.value('SELECT 1')).to.equal(1);
    });

    it('do not keep a process alive that has nothing else to do', async () => {
      const server = given();
      const application = uniqueName('child');
      const url = server.url({ parameters: { sslmode: 'disable', application_name: application } });
      const child = spawn(process.execPath, ['--import=tsx', path.resolve('test/suites/postgres/one-call.ts')], {
        env: { PATH: process.env['PATH'] ?? '', POSTGRES_URL: url },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      const lines: string[] = [];
      for await (const line of createInterface(child.stdout)) {
        lines.push(line);
        if (lines.length < 2) continue;
        // Still open: the process did not wait until an unused connection is closed.
        expect(await server.backends(application)).to.have.lengthOf(1);
        child.stdin.end();
      }
      expect(lines).to.deep.equal(['[{"one":1}]', 'nothing left to do']);
      expect(await closed).to.deep.equal([0, null]);
    });

    it('of 25 sets of credentials are open for 20 at most', async () => {
      const server = given();
      const roles = await makeRoles(server, 25);
      const calls = await Calls.open(server);
      for (const user of roles) {
        const POSTGRES_URL = server.url({ user, password, parameters: { sslmode: 'disable', application_name: calls.application } });
        const call = { tool: 'postgres_execute_sql', parameters: { sql: 'SELECT current_user AS name' }, credentials: { POSTGRES_URL } };
        expect((await calls.toolkit.kernel.call(call)).output).to.deep.include({ rows: [{ name: user }] });
      }
      await server.untilBackends(calls.application, 'any', 20);
      await calls.toolkit.close();
      await server.untilBackends(calls.application, 'any', 0);
    });

    it('of two sets of credentials are never mixed', async () => {
      const server = given();
      const roles = await makeRoles(server, 2);
      const calls = await Calls.open(server);
      const seen = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const user = roles[index % 2] as string;
          const credentials = { POSTGRES_URL: server.url({ user, password, parameters: { sslmode: 'disable', application_name: user } }) };
          const sql = 'SELECT session_user AS name, pg_backend_pid() AS pid FROM pg_sleep(0.002)';
          const { output } = await calls.toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters: { sql }, credentials });
          const row = (output as { rows: { name: string; pid: number }[] }).rows[0];
          expect(row?.name).to.equal(user);
          return row;
        }),
      );
      const pids = roles.map((role) => new Set(seen.filter((row) => row?.name === role).map((row) => row?.pid)));
      expect([...(pids[0] ?? [])].filter((pid) => pids[1]?.has(pid))).to.deep.equal([]);
    });
  });

  describe('logging in to PostgreSQL', () => {
    const wrongPassword = 'wrong-password-of-the-test';
    const refused: readonly {
      what: string;
      user?: string;
      password?: string;
      database?: string;
      code: 'AUTH_FAILED' | 'NOT_FOUND';
      sqlstate: string;
    }[] = [
      { what: 'with a wrong password', password: wrongPassword, code: 'AUTH_FAILED', sqlstate: '28P01' },
      { what: 'as a role that does not exist', user: 'nobody_at_all', code: 'AUTH_FAILED', sqlstate: '28P01' },
      { what: 'to a database that does not exist', database: 'no_such_database', code: 'NOT_FOUND', sqlstate: '3D000' },
    ];
    for (const { what, code, sqlstate, ...address } of refused) {
      it(`${what} ends with ${code}, and without the password`, async () => {
        const calls = await Calls.open(given(), address);
        const error = await calls.failure(code, 'SELECT 1');
        expect(error.details).to.include({ sqlstate });
        expect(JSON.stringify(error) + error.stack).to.not.include(wrongPassword);
      });
    }

    it('does not take a password from the environment of the process or from a file', async () => {
      const url = new URL(given().url({ parameters: { sslmode: 'disable' } }));
      const before = process.env['PGPASSWORD'];
      process.env['PGPASSWORD'] = decodeURIComponent(url.password);
      try {
        url.password = '';
        const toolkit = await sqlToolkit({ POSTGRES_URL: url.href });
        await rejection(runSql(toolkit, 'SELECT 1'), 'AUTH_FAILED');
        await toolkit.close();
      } finally {
        if (before === undefined) delete process.env['PGPASSWORD'];
        else process.env['PGPASSWORD'] = before;
      }
    });

    it('with names in place of a URL leads to the same server', async () => {
      const url = new URL(given().url());
      const toolkit = await sqlToolkit({
        POSTGRES_HOST: url.hostname,
        POSTGRES_PORT: url.port,
        POSTGRES_USER: decodeURIComponent(url.username),
        POSTGRES_PASSWORD: decodeURIComponent(url.password),
        POSTGRES_DATABASE: url.pathname.slice(1),
        POSTGRES_SSLMODE: 'disable',
      });
      expect((await runSql(toolkit, 'SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
      await toolkit.close();
    });

    it('as a role without rights ends with INSUFFICIENT_SCOPE', async () => {
      const server = given();
      const roles = await makeRoles(server, 1);
      const table = await server.makeTable();
      const calls = await Calls.open(server, { user: roles[0] as string, password });
      const error = await calls.failure('INSUFFICIENT_SCOPE', `SELECT * FROM ${table}`);
      expect(error.message).to.include(`permission denied for table ${table} (SQLSTATE 42501)`).and.include('GRANT');
    });

    it('to a server without free connections can be repeated', async () => {
      const server = given();
      const roles = await makeRoles(server, 1);
      await server.rows(`ALTER ROLE ${roles[0]} CONNECTION LIMIT 0`);
      const calls = await Calls.open(server, { user: roles[0] as string, password });
      const error = await calls.failure('UPSTREAM_UNAVAILABLE', 'SELECT 1');
      expect(error.details).to.include({ sqlstate: '53300' });
      expect(error.retryable).to.equal(true);
    });
  });
}
