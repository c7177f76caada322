import { expect } from 'chai';
import { until } from '../../e2e/program.ts';
import { rejection } from '../../support/rejection.ts';
import { breakingProxy } from './breaking-proxy.ts';
import { Calls } from './calls.ts';
import type { Address, RealServer } from './server.ts';

/** Longer than every limit of these tests. */
const long = 'SELECT pg_sleep(600)';

export function describeInterruptions(given: () => RealServer): void {
  describe('a statement of postgres_execute_sql that takes too long', () => {
    it('is stopped by the server, which goes on with the same connection', async () => {
      const calls = await Calls.open(given());
      const pid = await calls.value('SELECT pg_backend_pid()');
      const error = await calls.failure('TIMEOUT', long, { timeout_ms: 200 });
      expect(error.message).to.include('stopped at the limit of timeout_ms, 200 ms. Nothing was changed.');
      expect(error.details).to.include({ timeoutMs: 200 });
      expect(await calls.value('SELECT pg_backend_pid()')).to.equal(pid);
    });

    it('is stopped although each part of its rows comes in time', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const sql = 'SELECT CASE WHEN g % 1000 = 0 THEN pg_sleep(0.3) END FROM generate_series(1, 1000000) AS g';
      await calls.failure('TIMEOUT', sql, { timeout_ms: 1000, read_only: false, max_rows: 1 });
      await server.untilBackends(calls.application, 'active', 0);
      expect(await calls.value('SELECT 1')).to.equal(1);
    });

    it('changes nothing', async () => {
      const server = given();
      const table = await server.makeTable();
      const calls = await Calls.open(server);
      const sql = `WITH a AS (INSERT INTO ${table} VALUES (1) RETURNING id) SELECT id, pg_sleep(600) FROM a`;
      await calls.failure('TIMEOUT', sql, { timeout_ms: 300, read_only: false });
      expect(await server.rows(`SELECT * FROM ${table}`)).to.deep.equal([]);
    });

    it('is stopped earlier where the role has a shorter limit, and says so', async () => {
      const server = given();
      const role = await server.makeRole('hasty-password');
      await server.rows(`ALTER ROLE ${role} SET statement_timeout = '250ms'`);
      const calls = await Calls.open(server, { user: role, password: 'hasty-password' });
      expect((await calls.failure('TIMEOUT', long)).message).to.include('the statement_timeout of the role or database, 250 ms');
    });

    it('waits for a lock no longer than its limit', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const { default: pg } = await import('pg');
      const holder = new pg.Client({ connectionString: server.url() });
      await holder.connect();
      await holder.query('SELECT pg_advisory_lock(815)');
      await calls.failure('TIMEOUT', 'SELECT pg_advisory_lock(815)', { timeout_ms: 200 });
      await holder.end();
    });
  });

  describe('a call of postgres_execute_sql that is given up', () => {
    const ways: readonly { what: string; address: (server: RealServer) => Address | undefined }[] = [
      { what: 'without encryption', address: () => ({}) },
      { what: 'with TLS', address: ({ folder }) => (folder === undefined ? undefined : { parameters: { sslmode: 'require' } }) },
      {
        what: 'with TLS that is checked',
        address: ({ folder }) =>
          folder === undefined ? undefined : { host: 'localhost', parameters: { sslmode: 'verify-full', sslrootcert: `${folder}/ca.crt` } },
      },
      { what: 'on a Unix socket', address: ({ folder }) => (folder === undefined ? undefined : { parameters: { host: folder } }) },
    ];
    for (const { what, address } of ways) {
      it(`${what} leaves nothing running on the server`, async () => {
        const server = given();
        // A server that was given may have neither; then it is the first way again.
        const calls = await Calls.open(server, address(server) ?? {});
        const abort = new AbortController();
        const parameters = { sql: long, timeout_ms: 600_000 };
        const call = calls.toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters, signal: abort.signal });
        await server.untilRunning(calls.application, long);
        abort.abort();
        await rejection(call, 'ABORTED');
        await server.untilBackends(calls.application, 'any', 0);
        expect(await calls.value('SELECT 1')).to.equal(1);
      });
    }

    it('changes nothing', async () => {
      const server = given();
      const table = await server.makeTable();
      const calls = await Calls.open(server);
      const abort = new AbortController();
      const sql = `WITH a AS (INSERT INTO ${table} VALUES (1) RETURNING id) SELECT id, pg_sleep(600) FROM a`;
      const call = calls.toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters: { sql, read_only: false }, signal: abort.signal });
      await server.untilRunning(calls.application, sql);
      abort.abort();
      await rejection(call, 'ABORTED');
      await server.untilBackends(calls.application, 'any', 0);
      expect(await server.rows(`SELECT * FROM ${table}`)).to.deep.equal([]);
    });

    it('in the middle of many rows leaves nothing running on the server', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const abort = new AbortController();
      const sql = "SELECT repeat('x', 1000), pg_sleep(0.0001) FROM generate_series(1, 100000000)";
      const parameters = { sql, read_only: false, timeout_ms: 600_000 };
      const call = calls.toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters, signal: abort.signal });
      await until(async () => ((await server.backends(calls.application)).length === 1 ? true : undefined));
      abort.abort();
      await rejection(call, 'ABORTED');
      await server.untilBackends(calls.application, 'any', 0);
    });

    it('by the end of the toolkit leaves nothing running on the server', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const call = rejection(calls.run(long), 'ABORTED');
      await server.untilRunning(calls.application, long);
      await calls.toolkit.close();
      await call;
      await server.untilBackends(calls.application, 'any', 0);
    });
  });

  describe('a statement of postgres_execute_sql that is ended on the server', () => {
    it('by a cancellation says who did not do it', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const call = calls.failure('EXECUTION_FAILED', long);
      await server.untilRunning(calls.application, long);
      await server.rows('SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [calls.application]);
      const error = await call;
      expect(error.message).to.include('Somebody cancelled it on the server.');
      expect(error.retryable).to.equal(true);
    });

    it('with its connection can be repeated', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const call = calls.failure('UPSTREAM_UNAVAILABLE', long);
      await server.untilRunning(calls.application, long);
      await server.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [calls.application]);
      expect((await call).retryable).to.equal(true);
      expect(await calls.value('SELECT 1')).to.equal(1);
    });

    it('before it began runs on another connection, as often as there are connections', async () => {
      const server = given();
      const port = await breakingProxy(server.address, { at: 'BEGIN', occurrence: 2, isAnswered: false });
      const calls = await Calls.open(server, { host: '127.0.0.1', parameters: { port } });
      await server.holding(async (wait, release) => {
        const sql = `SELECT 1 FROM ${wait}`;
        const running = Promise.all(Array.from({ length: 5 }, () => calls.run(sql)));
        await server.untilRunning(calls.application, sql, 5);
        await release();
        await running;
      });
      expect(await server.backends(calls.application)).to.have.lengthOf(5);
      expect(await calls.value('SELECT 1')).to.equal(1);
    });

    it('before it began is not tried on and on', async () => {
      const server = given();
      const port = await breakingProxy(server.address, { at: 'BEGIN', occurrence: 1, isAnswered: false });
      const calls = await Calls.open(server, { host: '127.0.0.1', parameters: { port } });
      expect((await calls.failure('UPSTREAM_UNAVAILABLE', 'SELECT 1')).message).to.include('was lost while the statement ran');
    });

    it('by a check at its end has changed nothing', async () => {
      const server = given();
      const table = await server.makeTable();
      await server.make(
        `CREATE FUNCTION ${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$`,
        `DROP FUNCTION ${table}() CASCADE`,
      );
      await server.rows(
        `CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${table}()`,
      );
      const calls = await Calls.open(server);
      await calls.failure('TIMEOUT', `INSERT INTO ${table} VALUES (1)`, { read_only: false, timeout_ms: 300 });
      expect(await server.rows(`SELECT * FROM ${table}`)).to.deep.equal([]);
    });
  });

  describe('a change of postgres_execute_sql whose commit is not answered', () => {
    for (const wasMade of [true, false]) {
      it(`may have been made or not, and the call says so (${wasMade ? 'it was' : 'it was not'})`, async () => {
        const server = given();
        const table = await server.makeTable();
        const port = await breakingProxy(server.address, { at: 'COMMIT', occurrence: 1, isAnswered: wasMade });
        const calls = await Calls.open(server, { host: '127.0.0.1', parameters: { port } });
        const error = await calls.failure('UPSTREAM_UNAVAILABLE', `INSERT INTO ${table} VALUES (1)`, { read_only: false });
        expect(error.message).to.include('may have been made or not. Look before you repeat it.');
        expect(error.details).to.include({ outcome: 'unknown' });
        expect(error.retryable).to.equal(false);
        await server.untilBackends(calls.application, 'any', 0);
        expect(await server.rows(`SELECT * FROM ${table}`)).to.have.lengthOf(wasMade ? 1 : 0);
      });
    }
  });
}
