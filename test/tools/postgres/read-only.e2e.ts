import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { Database, runSql } from './database.ts';

const script = `
  CREATE TABLE t (id integer PRIMARY KEY, name text);
  INSERT INTO t VALUES (1, 'one'), (2, 'two');
  CREATE SEQUENCE s;
  CREATE MATERIALIZED VIEW m AS SELECT * FROM t;
  CREATE FUNCTION writes() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (9, 'nine'); RETURN 9; END $$;
  CREATE FUNCTION sneaks() RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN PERFORM set_config('transaction_read_only', 'off', true); INSERT INTO t VALUES (9, 'nine'); RETURN 9; END $$;
  CREATE PROCEDURE proceeds() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (9, 'nine'); END $$;
  CREATE PROCEDURE idles() LANGUAGE plpgsql AS $$ BEGIN END $$;
  CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN COMMIT; INSERT INTO t VALUES (9, 'nine'); COMMIT; END $$;
`;

/** Everything that the attempts below try to change. */
const state = `SELECT (SELECT json_agg(t ORDER BY id) FROM t) AS rows, (SELECT last_value::text || is_called FROM s) AS sequence,
  (SELECT json_agg(relname ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS relations,
  (SELECT count(*)::integer FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS functions,
  (SELECT count(*)::integer FROM pg_largeobject_metadata) AS objects, current_setting('default_transaction_read_only') AS default`;

const attempts: readonly string[] = [
  "INSERT INTO t VALUES (9, 'nine')",
  "UPDATE t SET name = 'x'",
  'DELETE FROM t',
  'MERGE INTO t USING (VALUES (1)) AS v (id) ON t.id = v.id WHEN MATCHED THEN DELETE',
  'TRUNCATE t',
  'WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone',
  "WITH a AS (SELECT 1), b AS (INSERT INTO t VALUES (9, 'nine') RETURNING id) SELECT * FROM a, b",
  'SELECT writes()',
  'SELECT id, writes() FROM t WHERE id = 1',
  'SELECT sneaks()',
  'CALL proceeds()',
  'CALL commits()',
  "SELECT nextval('s')",
  "SELECT setval('s', 100)",
  'SELECT * INTO copy FROM t',
  'CREATE TABLE copy AS SELECT * FROM t',
  'CREATE TABLE copy (id integer)',
  'CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  'ALTER TABLE t ADD COLUMN more text',
  'DROP TABLE t',
  "COMMENT ON TABLE t IS 'x'",
  'GRANT SELECT ON t TO PUBLIC',
  'REFRESH MATERIALIZED VIEW m',
  'EXPLAIN ANALYZE DELETE FROM t',
  'SELECT * FROM t FOR UPDATE',
  'SELECT lo_create(0)',
  "COPY t FROM '/dev/null'",
  "COPY t TO '/tmp/copy'",
  "COPY (SELECT 1) TO PROGRAM 'cat'",
  'COPY t TO STDOUT',
  'COPY t FROM STDIN',
  '/* COPY */ copy t TO STDOUT',
  "DO $$ BEGIN SET TRANSACTION READ WRITE; INSERT INTO t VALUES (9, 'nine'); END $$",
  "DO $$ BEGIN COPY t TO PROGRAM 'cat'; END $$",
  'SET TRANSACTION READ WRITE',
  'SET transaction_read_only = off',
  "SELECT set_config('transaction_read_only', 'off', false)",
  "NOTIFY channel, 'x'",
  'COMMIT',
  'COMMIT AND CHAIN',
  'COMMIT; DELETE FROM t',
  'SELECT 1; DELETE FROM t',
  'ROLLBACK',
  'END',
  'ABORT',
  'BEGIN',
  'START TRANSACTION READ WRITE',
  'SAVEPOINT a',
  'RELEASE a',
  'ROLLBACK TO a',
  "PREPARE TRANSACTION 'a'",
  '-- a comment\n; ; /* one /* in */ the other */ COMMIT',
  'LISTEN channel',
  'VACUUM t',
  'ALTER SYSTEM SET work_mem = 1000',
];

describe('a read-only call of postgres_execute_sql', () => {
  let database: Database;
  let untouched: readonly unknown[];
  before(async () => {
    database = await Database.start(script);
    untouched = await database.rows(state);
  });
  after(() => database.stop());

  for (const sql of attempts) {
    it(`cannot ${sql.replace(/\s+/g, ' ')}`, async () => {
      const error = await database.failure('BAD_REQUEST', sql);
      expect(error.message).to.match(/[.…]$/);
      expect(await database.rows(state)).to.deep.equal(untouched);
    });
  }

  // The server itself allows them in a read-only transaction, whatever they do.
  for (const sql of [
    'CALL idles()',
    '/* one */ call public.idles();',
    'DO $$ BEGIN END $$',
    'COPY (SELECT 1) TO STDOUT',
    'ANALYZE t',
    'CLUSTER t USING t_pkey',
    'REINDEX TABLE t',
    'LOCK TABLE t IN ACCESS EXCLUSIVE MODE',
    "LOAD 'plpgsql'",
    'CHECKPOINT',
    'NOTIFY channel',
  ]) {
    it(`refuses ${sql} before the server sees it`, async () => {
      const { message, details } = await database.failure('BAD_REQUEST', sql);
      expect(message).to.match(/^[A-Z]+ is not possible in a read-only call\. .*needs read_only: false, and approval\.$/);
      expect(details).to.not.have.property('sqlstate');
    });
  }

  for (const sql of ['EXPLAIN ANALYZE SELECT writes()', 'WITH w AS MATERIALIZED (SELECT writes()) TABLE w', 'SELECT * INTO copy FROM t']) {
    it(`has the server refuse ${sql}`, async () => {
      expect((await database.failure('BAD_REQUEST', sql)).details).to.include({ sqlstate: '25006' });
    });
  }

  for (const sql of [
    'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
    'SET default_transaction_read_only = on',
    'PREPARE p AS DELETE FROM t',
  ]) {
    it(`may ${sql}, and nothing comes of it`, async () => {
      const { toolkit } = database;
      expect(await runSql(toolkit, sql))
        .to.have.property('note')
        .that.includes('has ended with this call');
      for (const next of ['DELETE FROM t', 'EXECUTE p']) await rejection(runSql(toolkit, next), 'BAD_REQUEST');
      expect(await database.rows(state)).to.deep.equal(untouched);
    });
  }

  it('says what to do when the change is wanted', async () => {
    const { message, details } = await database.failure('BAD_REQUEST', 'DELETE FROM t');
    expect(message)
      .to.include('Nothing was changed')
      .and.include('cannot execute DELETE')
      .and.include('read_only: false, which needs approval');
    expect(details).to.include({ sqlstate: '25006' });
  });

  it('reads, also past parentheses, comments and a semicolon at the end', async () => {
    for (const sql of [
      'SELECT id FROM t WHERE id = 1;',
      '(SELECT 1 AS id)',
      '/* commit */ SELECT 1 AS id -- delete',
      'TABLE t LIMIT 1',
      'VALUES (1)',
    ])
      expect((await database.run(sql)).row_count, sql).to.equal(1);
  });
});

describe('approval of postgres_execute_sql', () => {
  let database: Database;
  before(async () => {
    database = await Database.start('CREATE TABLE t (id integer)');
  });
  after(() => database.stop());

  const insert = { sql: 'INSERT INTO t VALUES (1)', read_only: false };

  it('is not needed by a model that reads', async () => {
    const { kernel } = database.toolkit;
    for (const more of [{}, { read_only: true }]) {
      const { output } = await kernel.call({
        tool: 'postgres_execute_sql',
        parameters: { sql: 'SELECT 1 AS one', ...more },
        origin: 'model',
      });
      expect(output).to.deep.include({ rows: [{ one: 1 }] });
    }
  });

  it('is needed by a model that wants to write, and nothing runs without', async () => {
    const { kernel } = database.toolkit;
    const error = await rejection(kernel.call({ tool: 'postgres_execute_sql', parameters: insert, origin: 'model' }), 'APPROVAL_REQUIRED');
    expect(error.details['reasons']).to.have.deep.nested.property('[0].kind', 'gate');
    expect(await database.rows('SELECT * FROM t')).to.deep.equal([]);
  });

  it('lets the change be made, once', async () => {
    const { kernel } = database.toolkit;
    await kernel.call({ tool: 'postgres_execute_sql', parameters: insert, origin: 'model', approved: true });
    await rejection(kernel.call({ tool: 'postgres_execute_sql', parameters: insert, origin: 'model' }), 'APPROVAL_REQUIRED');
    expect(await database.rows('SELECT * FROM t')).to.deep.equal([{ id: 1 }]);
  });
});
