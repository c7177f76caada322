import { expect } from 'chai';
import type { SqlResult } from '../../../tools/postgres/result.ts';
import { Database } from './database.ts';

const cases: readonly { sql: string; value: unknown }[] = [
  { sql: 'NULL::integer', value: null },
  { sql: 'true', value: true },
  { sql: 'false', value: false },
  { sql: '32767::smallint', value: 32767 },
  { sql: '-2147483648', value: -2147483648 },
  { sql: '9007199254740993::bigint', value: '9007199254740993' },
  { sql: '1::bigint', value: '1' },
  { sql: '4294967295::oid', value: 4294967295 },
  { sql: '1.50::numeric', value: '1.50' },
  { sql: "'NaN'::numeric", value: 'NaN' },
  { sql: '123456789012345678901234567890.123456789::numeric', value: '123456789012345678901234567890.123456789' },
  { sql: "'12.5'::money", value: '$12.50' },
  { sql: '0.1::real', value: 0.1 },
  { sql: '0.1::float8 + 0.2::float8', value: 0.30000000000000004 },
  { sql: "'NaN'::float8", value: 'NaN' },
  { sql: "'Infinity'::float8", value: 'Infinity' },
  { sql: "'-Infinity'::real", value: '-Infinity' },
  { sql: "'Zoë 👋'::text", value: 'Zoë 👋' },
  { sql: "''::text", value: '' },
  { sql: "'a'::char(3)", value: 'a  ' },
  { sql: "'a'::varchar(3)", value: 'a' },
  { sql: "'users'::name", value: 'users' },
  { sql: "'\\x00ff41'::bytea", value: '\\x00ff41' },
  { sql: "'2026-01-31'::date", value: '2026-01-31' },
  { sql: "'0044-03-15 BC'::date", value: '0044-03-15 BC' },
  { sql: "'infinity'::date", value: 'infinity' },
  { sql: "'23:59:59.123456'::time", value: '23:59:59.123456' },
  { sql: "'23:59:59+02'::timetz", value: '23:59:59+02' },
  { sql: "'2026-03-29 02:30:00'::timestamp", value: '2026-03-29 02:30:00' },
  { sql: "('2026-01-31 12:00:00.000001+01'::timestamptz AT TIME ZONE 'UTC')", value: '2026-01-31 11:00:00.000001' },
  { sql: "'1 year 2 months 3 days 04:05:06.7'::interval", value: 'P1Y2M3DT4H5M6.7S' },
  { sql: "'0'::interval", value: 'PT0S' },
  { sql: "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", value: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' },
  { sql: "'192.168.0.1/24'::inet", value: '192.168.0.1/24' },
  { sql: "'101'::bit(3)", value: '101' },
  { sql: "'(1,2)'::point", value: '(1,2)' },
  { sql: "'[1,5)'::int4range", value: '[1,5)' },
  { sql: "'a:1 b:2'::tsvector", value: "'a':1 'b':2" },
  { sql: "'1 2'::int2vector", value: '1 2' },
  { sql: "'happy'::mood", value: 'happy' },
  { sql: '7::score', value: 7 },
  { sql: "ROW('Main, St', 5)::place", value: '("Main, St",5)' },
  { sql: `'{"a": [1, 2.5, "x", null, true], "é": {}}'::json`, value: { a: [1, 2.5, 'x', null, true], é: {} } },
  { sql: `'[]'::jsonb`, value: [] },
  { sql: `'null'::jsonb`, value: null },
  { sql: `'"text"'::jsonb`, value: 'text' },
  { sql: `'{"__proto__": 1}'::jsonb -> '__proto__'`, value: 1 },
  {
    sql: `'[9007199254740991, 9007199254740993, -12345678901234567890]'::jsonb`,
    value: [9007199254740991, '9007199254740993', '-12345678901234567890'],
  },
  { sql: `'[0.1234567890123456789, 1.10, 1e400, 1e-7]'::json`, value: ['0.1234567890123456789', 1.1, '1e400', 1e-7] },
  {
    sql: `'{"12345678901234567890": "1234567890123456789 \\" 1e999"}'::json`,
    value: { '12345678901234567890': '1234567890123456789 " 1e999' },
  },
  { sql: 'ARRAY[1, NULL, 3]', value: [1, null, 3] },
  { sql: "'{}'::integer[]", value: [] },
  {
    sql: 'ARRAY[[1, 2], [3, 4]]',
    value: [
      [1, 2],
      [3, 4],
    ],
  },
  { sql: "'[0:1]={1,2}'::integer[]", value: [1, 2] },
  { sql: 'ARRAY[true, false]', value: [true, false] },
  { sql: "ARRAY['NaN', '1.5']::float8[]", value: ['NaN', 1.5] },
  { sql: 'ARRAY[1::bigint, 2]', value: ['1', '2'] },
  { sql: 'ARRAY[1.50::numeric]', value: ['1.50'] },
  { sql: `ARRAY['a,b', 'c"d', 'e\\f', '{g}', '', 'NULL', NULL, ' h ']`, value: ['a,b', 'c"d', 'e\\f', '{g}', '', 'NULL', null, ' h '] },
  { sql: `ARRAY['{"a": 1}'::jsonb, '[2]']`, value: [{ a: 1 }, [2]] },
  { sql: "ARRAY['2026-01-31 12:00:00'::timestamp]", value: ['2026-01-31 12:00:00'] },
  { sql: "ARRAY['1 day'::interval]", value: ['P1D'] },
  { sql: "ARRAY['\\x41'::bytea]", value: ['\\x41'] },
  { sql: "ARRAY['sad', 'happy']::mood[]", value: ['sad', 'happy'] },
  { sql: 'ARRAY[1, 2]::score[]', value: [1, 2] },
  { sql: "ARRAY['[1,5)'::int4range]", value: ['[1,5)'] },
  { sql: "ARRAY[ROW('a b', 1)::place]", value: ['("a b",1)'] },
  { sql: "ARRAY['(1,1),(0,0)'::box, '(2,2),(0,0)']", value: '{(1,1),(0,0);(2,2),(0,0)}' },
];

describe('a value of postgres_execute_sql', () => {
  let database: Database;
  let result: SqlResult;
  before(async () => {
    database = await Database.start(`
      CREATE TYPE mood AS ENUM ('sad', 'happy');
      CREATE DOMAIN score AS integer CHECK (VALUE >= 0);
      CREATE TYPE place AS (street text, number integer);
    `);
    result = await database.run(`SELECT ${cases.map(({ sql }, index) => `${sql} AS c${index}`).join(', ')}`);
  });
  after(() => database.stop());

  for (const [index, { sql, value }] of cases.entries()) {
    it(`${sql} is ${JSON.stringify(value)}`, () => {
      expect(result.rows[0]?.[`c${index}`]).to.deep.equal(value);
    });
  }

  it('comes with the oid of its type', async () => {
    const { fields } = await database.run("SELECT 1::bigint AS id, 'x'::text AS name, now() AS at, 7::score AS score");
    expect(fields).to.deep.equal([
      { name: 'id', data_type_id: 20 },
      { name: 'name', data_type_id: 25 },
      { name: 'at', data_type_id: 1184 },
      { name: 'score', data_type_id: 23 },
    ]);
  });

  it('keeps the time zone of its session', async () => {
    const { rows } = await database.run(
      "SELECT set_config('timezone', 'Asia/Kolkata', true) AS zone, '2026-07-01 12:00:00+00'::timestamptz AS at",
    );
    expect(rows).to.deep.equal([{ zone: 'Asia/Kolkata', at: '2026-07-01 17:30:00+05:30' }]);
  });
});
