import { expect } from 'chai';
import { Calls } from './calls.ts';
import type { RealServer } from './server.ts';

/** Statements that would change a table `t`, run as a superuser, whom only the transaction binds. */
const writes: readonly ((t: string) => string)[] = [
  (t) => `INSERT INTO ${t} VALUES (9)`,
  (t) => `MERGE INTO ${t} USING (VALUES (1)) AS v (id) ON ${t}.id = v.id WHEN NOT MATCHED THEN INSERT VALUES (9)`,
  (t) => `WITH gone AS (DELETE FROM ${t} RETURNING *) SELECT * FROM gone`,
  (t) => `SELECT * INTO ${t}_copy FROM ${t}`,
  (t) => `EXPLAIN ANALYZE DELETE FROM ${t}`,
  (t) => `SELECT * FROM ${t} FOR UPDATE`,
  () => 'SET TRANSACTION READ WRITE',
  () => "SELECT set_config('transaction_read_only', 'off', true)",
  (t) => `CALL ${t}_proc()`,
  (t) => `ANALYZE ${t}`,
  (t) => `LOCK TABLE ${t}`,
  () => "LOAD 'plpgsql'",
  () => 'CHECKPOINT',
];

export function describeReadOnly(given: () => RealServer): void {
  describe('a read-only call of postgres_execute_sql', () => {
    it('changes nothing, whatever it tries', async () => {
      const server = given();
      const table = await server.makeTable();
      await server.make(`CREATE PROCEDURE ${table}_proc() LANGUAGE sql AS 'SELECT 1'`, `DROP PROCEDURE ${table}_proc`);
      const calls = await Calls.open(server);
      const before = await server.rows(`SELECT * FROM ${table}`);
      for (const write of writes) await calls.failure('BAD_REQUEST', write(table));
      expect(await server.rows(`SELECT * FROM ${table}`)).to.deep.equal(before);
      expect(await server.rows('SELECT to_regclass($1) AS copy', [`${table}_copy`])).to.deep.equal([{ copy: null }]);
    });

    it('leaves nothing of what some servers let it make', async () => {
      const server = given();
      const calls = await Calls.open(server);
      const state = "SELECT (SELECT count(*) FROM pg_largeobject_metadata) AS objects, to_regclass('left_over') AS relation";
      const before = await server.rows(state);
      for (const sql of ['SELECT lo_create(0)', 'EXPLAIN (ANALYZE) CREATE TABLE left_over AS SELECT 1'])
        await calls.run(sql).catch(() => {});
      expect(await server.rows(state)).to.deep.equal(before);
    });
  });
}
