import { expect } from 'chai';
import { Database } from './database.ts';

describe('results of postgres_execute_sql', () => {
  let database: Database;
  before(async () => {
    database = await Database.start('CREATE TABLE t (id integer, name text)');
  });
  after(() => database.stop());

  it('have rows, their count, columns and the command', async () => {
    expect(await database.run('SELECT 1 AS id')).to.deep.equal({
      rows: [{ id: 1 }],
      row_count: 1,
      fields: [{ name: 'id', data_type_id: 23 }],
      truncated: false,
      command: 'SELECT',
    });
  });

  it('have columns also when there is no row', async () => {
    expect(await database.run('SELECT id FROM t WHERE false')).to.deep.equal({
      rows: [],
      row_count: 0,
      fields: [{ name: 'id', data_type_id: 23 }],
      truncated: false,
      command: 'SELECT',
    });
  });

  const counted: readonly { sql: string; command: string; rows: number }[] = [
    { sql: "INSERT INTO t SELECT g, 'x' FROM generate_series(1, 4321) AS g", command: 'INSERT', rows: 4321 },
    { sql: 'UPDATE t SET name = NULL WHERE id <= 100', command: 'UPDATE', rows: 100 },
    { sql: 'DELETE FROM t', command: 'DELETE', rows: 4321 },
    { sql: 'CREATE TABLE other AS SELECT 1 AS a UNION SELECT 2', command: 'SELECT', rows: 2 },
    { sql: 'DROP TABLE other', command: 'DROP TABLE', rows: 0 },
  ];
  it('count what was changed', async () => {
    for (const { sql, command, rows } of counted) {
      const result = await database.run(sql, [], { read_only: false });
      expect(result, sql).to.deep.equal({ rows: [], row_count: rows, fields: [], truncated: false, command });
    }
  });

  it('keep values of columns with the same name', async () => {
    const { rows, fields, note } = await database.run('SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a, 5 AS b');
    expect(rows).to.deep.equal([{ a: 1, a_3: 2, a_2: 3, a_4: 4, b: 5 }]);
    expect(fields.map(({ name }) => name)).to.deep.equal(['a', 'a_3', 'a_2', 'a_4', 'b']);
    expect(note).to.include('same name');
  });

  it('keep columns with names that objects have already', async () => {
    const { rows } = await database.run('SELECT 1 AS "__proto__", 2 AS "constructor", 3 AS "toString", 4 AS """.x"');
    expect(Object.entries(rows[0] ?? {})).to.deep.equal([
      ['__proto__', 1],
      ['constructor', 2],
      ['toString', 3],
      ['".x', 4],
    ]);
  });

  it('may have rows without columns', async () => {
    expect(await database.run('SELECT FROM generate_series(1, 3)')).to.deep.include({ rows: [{}, {}, {}], row_count: 3, fields: [] });
    expect(await database.run('SELECT FROM generate_series(1, 30)', [], { max_rows: 2 })).to.deep.include({
      rows: [{}, {}],
      truncated: true,
    });
  });

  it('come from EXPLAIN and SHOW as well', async () => {
    expect((await database.run('EXPLAIN SELECT * FROM t')).rows[0])
      .to.have.property('QUERY PLAN')
      .that.includes('Seq Scan');
    expect((await database.run('SHOW transaction_read_only')).rows).to.deep.equal([{ transaction_read_only: 'on' }]);
    const { rows } = await database.run('EXPLAIN (FORMAT JSON) SELECT 1');
    expect(rows).to.have.nested.property('[0].QUERY PLAN[0].Plan.Node Type', 'Result');
  });

  describe('at max_rows', () => {
    const series = 'SELECT g FROM generate_series(1, $1::int) AS g';
    for (const { there, limit, given } of [
      { there: 1000, limit: undefined, given: 1000 },
      { there: 1001, limit: undefined, given: 1000 },
      { there: 3, limit: 3, given: 3 },
      { there: 4, limit: 3, given: 3 },
      { there: 50, limit: 50, given: 50 },
      { there: 51, limit: 50, given: 50 },
      { there: 52, limit: 49, given: 49 },
      { there: 10_001, limit: 10_000, given: 10_000 },
    ]) {
      it(`give ${given} of ${there} rows for ${limit ?? 'the default'}, and say so`, async () => {
        const result = await database.run(series, [there], limit === undefined ? {} : { max_rows: limit });
        expect(result.rows).to.deep.equal(Array.from({ length: given }, (_, index) => ({ g: index + 1 })));
        expect(result).to.include({ row_count: given, truncated: given < there });
        if (given < there)
          expect(result.note).to.include(`Only the first ${given} rows are here; there are more: max_rows is ${limit ?? 1000}.`);
        else expect(result).to.not.have.property('note');
      });
    }
  });

  describe('at the size limit', () => {
    it('hold about 1 MB, and say so', async () => {
      const result = await database.run("SELECT g, repeat('x', 100000) AS wide FROM generate_series(1, 1000) AS g");
      expect(result).to.include({ row_count: 9, truncated: true });
      expect(result.rows.map((row) => [row['g'], String(row['wide']).length])).to.deep.equal(
        Array.from({ length: 9 }, (_, index) => [index + 1, 100_000]),
      );
      expect(result.note)
        .to.include('Only the first 9 rows are here; there are more: a result holds about 1 MB.')
        .and.include('left(column');
    });

    it('are empty when the first row is over it already', async () => {
      expect(await database.run("SELECT repeat('x', 1000001) AS wide")).to.deep.include({ rows: [], row_count: 0, truncated: true });
    });

    it('count the names of many columns', async () => {
      const name = 'n'.repeat(50);
      const columns = Array.from({ length: 1000 }, (_, index) => `NULL AS ${name}${index}`).join(', ');
      const result = await database.run(`SELECT ${columns} FROM generate_series(1, 100)`);
      expect(result.truncated).to.equal(true);
      expect(JSON.stringify(result.rows).length).to.be.below(1_100_000).and.above(500_000);
    });

    it('refuse a row that is too large to be read at all', async () => {
      const error = await database.failure('OUTPUT_TOO_LARGE', "SELECT repeat('x', 40000000)");
      expect(error.message).to.include('One row is larger than 16 MB');
    });

    it('have tables of many columns', async () => {
      const columns = Array.from({ length: 1600 }, (_, index) => `${index} AS c${index}`).join(', ');
      const { rows, fields } = await database.run(`SELECT ${columns}`);
      expect(fields).to.have.lengthOf(1600);
      expect(rows).to.have.nested.property('[0].c1599', 1599);
    });
  });

  it('are read no further than they are needed', async () => {
    const sql = 'SELECT 1 / (g - 5000) AS v FROM generate_series(1, 10000) AS g';
    expect(await database.run(sql, [], { max_rows: 1000 })).to.include({ row_count: 1000, truncated: true });
    expect((await database.failure('BAD_REQUEST', sql, [], { max_rows: 10_000 })).message).to.include('division by zero');
    expect((await database.failure('BAD_REQUEST', sql, [], { max_rows: 1000, read_only: false })).message).to.include('division by zero');
  });

  it('of a change are cut, but the change is whole', async () => {
    const insert = "INSERT INTO t SELECT g, repeat('x', 100) FROM generate_series(1, 7777) AS g RETURNING id";
    const result = await database.run(insert, [], { read_only: false, max_rows: 2 });
    expect(result).to.deep.include({ rows: [{ id: 1 }, { id: 2 }], row_count: 7777, truncated: true, command: 'INSERT' });
    expect(result.note).to.include('Only the first 2 rows are here of 7777').and.include('The statement ran to its end.');
    expect(await database.rows('SELECT count(*)::int AS n FROM t')).to.deep.equal([{ n: 7777 }]);
  });

  it('of functions that change something are cut, but every row was made', async () => {
    await database.run('CREATE SEQUENCE counted', [], { read_only: false });
    const result = await database.run("SELECT nextval('counted') FROM generate_series(1, 5000)", [], { read_only: false, max_rows: 1 });
    expect(result).to.include({ row_count: 5000, truncated: true });
    expect(await database.rows('SELECT last_value::int AS n FROM counted')).to.deep.equal([{ n: 5000 }]);
  });
});
