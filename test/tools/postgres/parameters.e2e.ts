import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { packToolkit } from '../packs.ts';
import { Database, runSql } from './database.ts';

const attacks: readonly string[] = [
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  "x'); DELETE FROM users; SELECT ('",
  '$1',
  "\\'; DELETE FROM users; --",
  "admin'/*",
  '*/ DELETE FROM users /*',
  '1; COMMIT; DELETE FROM users',
  "'||(SELECT secret FROM users LIMIT 1)||'",
  'users; DROP TABLE users',
  "E'\\x27 OR 1=1'",
  '\u02bc OR 1=1 --',
  '{"$ne": null}',
  '"quoted"',
  '{1,2,3}',
  '%_\\',
  'NULL',
  '日本語 🚀 \u202e',
  'line\nbreak\ttab',
];

describe('values in params', () => {
  let database: Database;
  before(async () => {
    database = await Database.start("CREATE TABLE users (name text, secret text); INSERT INTO users VALUES ('ada', 'hidden')");
  });
  after(() => database.stop());

  for (const attack of attacks) {
    it(`stay values: ${JSON.stringify(attack)}`, async () => {
      const { toolkit } = database;
      const found = await runSql(toolkit, 'SELECT name FROM users WHERE name = $1 OR secret = $1', [attack]);
      expect(found.rows).to.deep.equal([]);
      const echoed = await runSql(
        toolkit,
        'SELECT $1::text AS one, ARRAY[$1]::text[] AS list, $2::text[] AS given, to_jsonb($1::text) AS json',
        [attack, [attack, null]],
      );
      expect(echoed.rows).to.deep.equal([{ one: attack, list: [attack], given: [attack, null], json: attack }]);
      expect(await database.rows('SELECT * FROM users')).to.have.lengthOf(1);
    });
  }

  const cases: readonly { what: string; sql: string; params: readonly unknown[]; rows: readonly unknown[] }[] = [
    { what: 'text for an integer', sql: 'SELECT $1::integer + 1 AS v', params: ['41'], rows: [{ v: 42 }] },
    { what: 'a number for text', sql: 'SELECT $1::text AS v', params: [1.5], rows: [{ v: '1.5' }] },
    { what: 'a boolean', sql: 'SELECT NOT $1::boolean AS v', params: [true], rows: [{ v: false }] },
    { what: 'null', sql: 'SELECT $1::integer IS NULL AS v', params: [null], rows: [{ v: true }] },
    { what: 'a large number as text', sql: 'SELECT $1::bigint + 1 AS v', params: ['9007199254740993'], rows: [{ v: '9007199254740994' }] },
    {
      what: 'a large number in a list',
      sql: 'SELECT $1::bigint[] AS v',
      params: [['9007199254740993', 1]],
      rows: [{ v: ['9007199254740993', '1'] }],
    },
    {
      what: 'a decimal with all its digits',
      sql: 'SELECT $1::numeric AS v',
      params: ['12345678901234567890.5'],
      rows: [{ v: '12345678901234567890.5' }],
    },
    { what: 'a large number as JSON', sql: 'SELECT jsonb_typeof($1::jsonb) AS v', params: ['9007199254740993'], rows: [{ v: 'number' }] },
    { what: 'a date', sql: 'SELECT $1::date + 1 AS v', params: ['2026-02-28'], rows: [{ v: '2026-03-01' }] },
    {
      what: 'a moment',
      sql: "SELECT $1::timestamptz AT TIME ZONE 'UTC' AS v",
      params: ['2026-01-31T12:00:00+01:00'],
      rows: [{ v: '2026-01-31 11:00:00' }],
    },
    { what: 'an interval', sql: 'SELECT $1::interval * 2 AS v', params: ['P1DT2H'], rows: [{ v: 'P2DT4H' }] },
    { what: 'bytes', sql: 'SELECT length($1::bytea) AS v', params: ['\\x00ff41'], rows: [{ v: 3 }] },
    {
      what: 'a list for ANY',
      sql: 'SELECT v FROM generate_series(1, 5) AS v WHERE v = ANY($1)',
      params: [[2, 4, 9]],
      rows: [{ v: 2 }, { v: 4 }],
    },
    { what: 'an empty list', sql: 'SELECT 1 AS v WHERE 1 = ANY($1::int[])', params: [[]], rows: [] },
    {
      what: 'a list of lists',
      sql: 'SELECT $1::int[] AS v',
      params: [
        [
          [1, 2],
          [3, null],
        ],
      ],
      rows: [
        {
          v: [
            [1, 2],
            [3, null],
          ],
        },
      ],
    },
    { what: 'a list of booleans', sql: 'SELECT $1::boolean[] AS v', params: [[true, false]], rows: [{ v: [true, false] }] },
    { what: 'an object', sql: "SELECT $1::jsonb -> 'a' AS v", params: [{ a: { b: ['x'] } }], rows: [{ v: { b: ['x'] } }] },
    { what: 'a list as JSON', sql: 'SELECT jsonb_array_length($1) AS v', params: [[1, [2], { a: 3 }]], rows: [{ v: 3 }] },
    { what: 'JSON as text', sql: 'SELECT $1::json AS v', params: ['[1, {"a": null}]'], rows: [{ v: [1, { a: null }] }] },
    { what: 'a list of objects', sql: 'SELECT $1::jsonb[] AS v', params: [[{ a: '"' }, null]], rows: [{ v: [{ a: '"' }, null] }] },
    {
      what: 'rows as JSON',
      sql: 'SELECT id, name FROM jsonb_to_recordset($1) AS r (id integer, name text)',
      params: [[{ id: 1, name: 'Zoë' }, { id: 2 }]],
      rows: [
        { id: 1, name: 'Zoë' },
        { id: 2, name: null },
      ],
    },
    { what: 'one value in two places', sql: 'SELECT $1::int + $1::int AS v', params: [21], rows: [{ v: 42 }] },
    { what: 'a value for LIMIT', sql: 'SELECT v FROM generate_series(1, 5) AS v LIMIT $1', params: [1], rows: [{ v: 1 }] },
  ];

  for (const { what, sql, params, rows } of cases) {
    it(`may be ${what}`, async () => {
      expect((await database.run(sql, params)).rows).to.deep.equal(rows);
    });
  }

  // An integer beyond 2^53 comes as a text of its digits, and a document has both numbers and texts.
  const documents: readonly { what: string; sql: string; params: readonly unknown[]; place: string | undefined }[] = [
    { what: 'an object', sql: 'SELECT $1::jsonb AS v', params: [{ user: { id: '7960607143101464577' } }], place: '$1.user.id' },
    { what: 'an object for text', sql: 'SELECT $1::text AS v', params: [{ id: '-9007199254740993' }], place: '$1.id' },
    { what: 'a list that is a document', sql: 'SELECT $2::json AS v, $1::int', params: [1, [1, '9007199254740993']], place: '$2[1]' },
    { what: 'a list of objects', sql: 'SELECT $1::jsonb[] AS v', params: [[{}, { id: '9007199254740993' }]], place: '$1[1].id' },
    { what: 'a list that is an array', sql: 'SELECT $1::text[] AS v', params: [['9007199254740993']], place: undefined },
    { what: 'a document as text', sql: 'SELECT $1::jsonb AS v', params: ['{"id":9007199254740993}'], place: undefined },
    { what: 'smaller integers as texts', sql: 'SELECT $1::jsonb AS v', params: [{ id: '9007199254740991' }], place: undefined },
  ];
  for (const { what, sql, params, place } of documents) {
    it(`${place === undefined ? 'go in without a note' : 'are noted where one may have been a large integer'}: ${what}`, async () => {
      const { note, rows } = await database.run(sql, params);
      expect(JSON.stringify(rows)).to.include(/\d{16,}/.exec(JSON.stringify(params))?.[0] ?? '');
      const said = `${place} went in as text, as integers beyond 2^53 do: give a document with such numbers as one JSON text.`;
      expect(note).to.equal(place === undefined ? undefined : said);
    });
  }

  const mistakes: readonly { what: string; sql: string; params: readonly unknown[]; says: string }[] = [
    { what: 'too few', sql: 'SELECT $1::int, $2::int', params: [1], says: 'has 2 placeholders, $1 to $2, and params has 1 value.' },
    { what: 'too many', sql: 'SELECT $1::int', params: [1, 2], says: 'has one placeholder, $1, and params has 2 values.' },
    { what: 'given without placeholders', sql: "SELECT '$1'", params: [1], says: 'has no placeholders, and params has 1 value.' },
    { what: 'of an unclear type', sql: 'SELECT $2::int', params: [1, 2], says: 'Say the type of the placeholder, such as $1::text.' },
    { what: 'names of tables', sql: 'SELECT * FROM $1', params: ['users'], says: 'syntax error at or near "$1"' },
    { what: 'with a NUL', sql: 'SELECT $1::text', params: ['a\0b'], says: 'invalid byte sequence' },
    { what: 'no numbers', sql: 'SELECT $1::integer', params: ['x'], says: 'invalid input syntax for type integer: "x"' },
  ];

  for (const { what, sql, params, says } of mistakes) {
    it(`are refused when they are ${what}`, async () => {
      expect((await database.failure('BAD_REQUEST', sql, params)).message).to.include(says);
    });
  }
});

describe('parameters of postgres_execute_sql', () => {
  const wrong: readonly { what: string; parameters: Readonly<Record<string, unknown>>; path: string }[] = [
    { what: 'sql is missing', parameters: {}, path: 'sql' },
    { what: 'sql is empty', parameters: { sql: '' }, path: 'sql' },
    { what: 'params is no list', parameters: { sql: 'SELECT 1', params: { 1: 'x' } }, path: 'params' },
    { what: 'params is longer than the protocol allows', parameters: { sql: 'SELECT 1', params: Array(32_768).fill(1) }, path: 'params' },
    { what: 'max_rows is 0', parameters: { sql: 'SELECT 1', max_rows: 0 }, path: 'max_rows' },
    { what: 'max_rows is 10001', parameters: { sql: 'SELECT 1', max_rows: 10_001 }, path: 'max_rows' },
    { what: 'timeout_ms is 0', parameters: { sql: 'SELECT 1', timeout_ms: 0 }, path: 'timeout_ms' },
    { what: 'timeout_ms is 600001', parameters: { sql: 'SELECT 1', timeout_ms: 600_001 }, path: 'timeout_ms' },
    { what: 'timeout_ms is text', parameters: { sql: 'SELECT 1', timeout_ms: '1; COMMIT' }, path: 'timeout_ms' },
    { what: 'read_only is text', parameters: { sql: 'SELECT 1', read_only: 'false' }, path: 'read_only' },
    { what: 'a name is unknown', parameters: { sql: 'SELECT 1', parameters: [] }, path: 'parameters' },
  ];
  for (const { what, parameters, path } of wrong) {
    it(`are refused when ${what}`, async () => {
      const toolkit = await packToolkit('postgres', { env: { POSTGRES_URL: 'postgresql://ada:x@127.0.0.1:1/db' } });
      const error = await rejection(toolkit.execute('postgres_execute_sql', parameters), 'INVALID_PARAMETERS');
      expect(error.details.issues?.map((issue) => issue.path)).to.deep.equal([path]);
    });
  }

  it('refuse a NUL in sql, which would end the text on the wire', async () => {
    const toolkit = await packToolkit('postgres', { env: { POSTGRES_URL: 'postgresql://ada:x@127.0.0.1:1/db' } });
    const error = await rejection(runSql(toolkit, 'SELECT 1\0; DROP TABLE users'), 'BAD_REQUEST');
    expect(error.message).to.include('NUL');
  });
});
