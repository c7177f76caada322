import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { Database, password, runSql } from './database.ts';

const script = `
  CREATE TABLE parents (id integer PRIMARY KEY, email text UNIQUE, age integer NOT NULL CONSTRAINT grown CHECK (age >= 18));
  CREATE TABLE children (parent integer REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO parents VALUES (1, 'ada@example.org', 36);
  CREATE VIEW adults AS SELECT * FROM parents WHERE age > 20 WITH CHECK OPTION;
  CREATE FUNCTION fails(state text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'it is so' USING ERRCODE = state, DETAIL = 'the detail', HINT = 'the hint', TABLE = 'tables', SCHEMA = 'schemas'; END $$;
  CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$;
`;

interface Case {
  readonly sql: string;
  readonly params?: readonly unknown[];
  readonly isWrite?: boolean;
  readonly code: ErrorCode;
  readonly says: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const cases: readonly Case[] = [
  {
    sql: 'SELEC 1',
    code: 'BAD_REQUEST',
    says: 'syntax error at or near "SELEC" (SQLSTATE 42601, line 1, column 1).',
    details: { position: 1, line: 1, column: 1 },
  },
  {
    sql: "SELECT 'Zoë 👋',\n  nope",
    code: 'BAD_REQUEST',
    says: '(SQLSTATE 42703, line 2, column 3).',
    details: { position: 19, line: 2, column: 3 },
  },
  { sql: 'SELECT 1\r\nFROM nowhere', code: 'BAD_REQUEST', says: 'relation "nowhere" does not exist (SQLSTATE 42P01, line 2, column 6).' },
  { sql: 'SELECT id FROM parent', code: 'BAD_REQUEST', says: 'information_schema.tables' },
  { sql: 'SELECT emial FROM parents', code: 'BAD_REQUEST', says: 'Hint: Perhaps you meant to reference the column "parents.email".' },
  { sql: 'SELECT * FROM nowhere.t', code: 'BAD_REQUEST', says: 'SQLSTATE 42P01' },
  { sql: 'SELECT nofunction(1)', code: 'BAD_REQUEST', says: 'SQLSTATE 42883' },
  { sql: "SELECT 1 WHERE 'a' = 1::integer + now()", code: 'BAD_REQUEST', says: 'cast it, such as $1::date' },
  { sql: 'SELECT id, count(*) FROM parents', code: 'BAD_REQUEST', says: 'SQLSTATE 42803' },
  { sql: 'SELECT 1; SELECT 2', code: 'BAD_REQUEST', says: 'Give one statement in each call.' },
  { sql: '', code: 'INVALID_PARAMETERS', says: 'sql' },
  { sql: '  -- nothing\n/* at all */ ;', code: 'BAD_REQUEST', says: 'sql has no statement' },
  { sql: 'SELECT 1 / 0', code: 'BAD_REQUEST', says: 'division by zero (SQLSTATE 22012)' },
  { sql: "SELECT '2026-02-30'::date", code: 'BAD_REQUEST', says: 'SQLSTATE 22008' },
  { sql: 'SELECT (SELECT id FROM generate_series(1, 2) AS id)', code: 'BAD_REQUEST', says: 'SQLSTATE 21000' },
  { sql: 'SELECT 1 + $1', params: [{}], code: 'BAD_REQUEST', says: 'SQLSTATE 22P02' },
  { sql: 'FETCH ALL FROM nothing', code: 'BAD_REQUEST', says: 'SQLSTATE 34000' },
  { sql: 'EXECUTE nothing', code: 'BAD_REQUEST', says: 'SQLSTATE 26000' },
  { sql: 'CALL commits()', isWrite: true, code: 'BAD_REQUEST', says: 'SQLSTATE 2D000' },
  { sql: 'VACUUM parents', isWrite: true, code: 'BAD_REQUEST', says: 'Every call is a transaction' },
  { sql: 'CREATE TABLE parents (id integer)', isWrite: true, code: 'BAD_REQUEST', says: 'SQLSTATE 42P07' },
  {
    sql: "INSERT INTO parents VALUES (2, 'ada@example.org', 20)",
    isWrite: true,
    code: 'EXECUTION_FAILED',
    says: 'duplicate key value violates unique constraint "parents_email_key" (SQLSTATE 23505)',
    details: {
      schema: 'public',
      table: 'parents',
      constraint: 'parents_email_key',
      detail: 'Key (email)=(ada@example.org) already exists.',
    },
  },
  {
    sql: "INSERT INTO parents VALUES (2, 'x', 7)",
    isWrite: true,
    code: 'EXECUTION_FAILED',
    says: 'SQLSTATE 23514',
    details: { constraint: 'grown', table: 'parents' },
  },
  {
    sql: 'INSERT INTO parents (id) VALUES (2)',
    isWrite: true,
    code: 'EXECUTION_FAILED',
    says: 'SQLSTATE 23502',
    details: { columnName: 'age', table: 'parents' },
  },
  {
    sql: 'INSERT INTO children VALUES (99)',
    isWrite: true,
    code: 'EXECUTION_FAILED',
    says: 'SQLSTATE 23503',
    details: { table: 'children', constraint: 'children_parent_fkey' },
  },
  { sql: "INSERT INTO adults VALUES (2, 'y', 19)", isWrite: true, code: 'EXECUTION_FAILED', says: 'SQLSTATE 44000' },
  {
    sql: "SELECT fails('P0001')",
    code: 'EXECUTION_FAILED',
    says: 'it is so (SQLSTATE P0001). Hint: the hint.',
    details: { detail: 'the detail', hint: 'the hint', table: 'tables', schema: 'schemas', sqlstate: 'P0001' },
  },
  { sql: "SELECT fails('42501')", code: 'INSUFFICIENT_SCOPE', says: 'lacks this right' },
  { sql: "SELECT fails('40001')", code: 'EXECUTION_FAILED', says: 'may succeed later', details: { sqlstate: '40001', retryable: true } },
  { sql: "SELECT fails('40P01')", code: 'EXECUTION_FAILED', says: 'may succeed later', details: { retryable: true } },
  { sql: "SELECT fails('55P03')", code: 'EXECUTION_FAILED', says: 'may succeed later', details: { retryable: true } },
  { sql: "SELECT fails('57014')", code: 'EXECUTION_FAILED', says: 'cancelled it on the server' },
  { sql: "SELECT fails('28P01')", code: 'AUTH_FAILED', says: 'SQLSTATE 28P01' },
  { sql: "SELECT fails('53300')", code: 'UPSTREAM_UNAVAILABLE', says: 'SQLSTATE 53300' },
  { sql: "SELECT fails('53100')", code: 'UPSTREAM_UNAVAILABLE', says: 'SQLSTATE 53100' },
  { sql: "SELECT fails('57P01')", code: 'UPSTREAM_UNAVAILABLE', says: 'SQLSTATE 57P01' },
  { sql: "SELECT fails('08006')", code: 'UPSTREAM_UNAVAILABLE', says: 'SQLSTATE 08006' },
  { sql: "SELECT fails('08P01')", code: 'BAD_REQUEST', says: 'SQLSTATE 08P01' },
  { sql: "SELECT fails('3D000')", code: 'NOT_FOUND', says: 'SQLSTATE 3D000' },
  { sql: "SELECT fails('54001')", code: 'BAD_REQUEST', says: 'SQLSTATE 54001' },
  { sql: "SELECT fails('0A000')", code: 'BAD_REQUEST', says: 'SQLSTATE 0A000' },
  { sql: "SELECT fails('25P03')", code: 'TIMEOUT', says: 'SQLSTATE 25P03' },
  { sql: "SELECT fails('XX000')", code: 'EXECUTION_FAILED', says: 'SQLSTATE XX000' },
  { sql: "SELECT fails('38000')", code: 'EXECUTION_FAILED', says: 'SQLSTATE 38000' },
];

describe('errors of postgres_execute_sql', () => {
  let database: Database;
  before(async () => {
    database = await Database.start(script);
  });
  after(() => database.stop());

  for (const { sql, params = [], isWrite = false, code, says, details = {} } of cases) {
    it(`${code} for ${sql.replace(/\s+/g, ' ')}: ${says}`, async () => {
      const error = await database.failure(code, sql, params, { read_only: !isWrite });
      expect(error.message).to.include(says);
      expect(error.details).to.include(details);
      expect(JSON.stringify(error)).to.not.include(password);
    });
  }

  it('leave the connection and the data as they were', async () => {
    await database.failure('EXECUTION_FAILED', "INSERT INTO parents VALUES (3, 'z', 40), (3, 'z', 41)", [], { read_only: false });
    await database.failure('BAD_REQUEST', 'WITH x AS (INSERT INTO parents VALUES (4, $1, 40)) SELECT 1 / 0', ['w'], { read_only: false });
    expect((await database.run('SELECT id FROM parents')).rows).to.deep.equal([{ id: 1 }]);
  });

  it('hold no more of the text of the server than an excerpt', async () => {
    const error = await database.failure('EXECUTION_FAILED', "SELECT fails('P0002') FROM (SELECT set_config('a.b', $1, true)) AS x", [
      'x'.repeat(9999),
    ]);
    expect(JSON.stringify(error).length).to.be.below(2000);
    const long = await database.failure('BAD_REQUEST', `SELECT "${'n'.repeat(63)}", '${'x'.repeat(5000)}'::integer`);
    expect(JSON.stringify(long).length).to.be.below(2000);
  });

  it('come when the server is gone', async () => {
    const gone = await Database.start();
    await gone.run('SELECT 1');
    const { toolkit } = gone;
    await gone.stopServer();
    await rejection(runSql(toolkit, 'SELECT 1'), 'UPSTREAM_UNAVAILABLE');
    await gone.stop();
  });
});
