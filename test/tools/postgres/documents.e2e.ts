import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { SqlResult } from '../../../tools/postgres/result.ts';
import { packFolder } from '../packs.ts';
import { runReadmeExample } from '../readme-example.ts';
import { Database } from './database.ts';

const script = `
  CREATE TABLE customers (id integer, email text, city text, created_at timestamptz, tags text[], address jsonb);
  INSERT INTO customers VALUES (1, 'ada@example.org', 'Zürich', '2026-02-01', '{}'), (2, 'bo@example.org', 'Bern', '2026-02-01', '{}'),
    (3, 'cy@example.org', 'Zürich', '2025-12-31', '{}'), (42, 'di@example.org', 'Bern', '2025-12-31', '{}');
  CREATE TYPE order_state AS ENUM ('open', 'sent');
  CREATE TABLE orders (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id integer, total numeric, placed_at timestamptz);
  INSERT INTO orders (customer_id, total, placed_at) VALUES (3, 12.50, '2026-02-01'), (4, 1, '2026-02-01'), (42, 2, '2025-01-01');
`;

describe('@toolkit/postgres: the example of the README', () => {
  let database: Database;
  before(async () => {
    database = await Database.start(script);
  });
  after(() => database.stop());

  it('runs', async () => {
    const { variables, asked } = await runReadmeExample('postgres', database.toolkit);
    expect(variables).to.deep.equal({
      rows: [{ id: 1, email: 'ada@example.org' }],
      changed: { rows: [], row_count: 1, fields: [], truncated: false, command: 'UPDATE' },
    });
    expect(asked).to.deep.equal([{ autoDiscover: true }]);
    expect(await database.rows("SELECT id FROM customers WHERE tags <> '{}'")).to.deep.equal([{ id: 1 }]);
  });
});

describe('statements that postgres_execute_sql is taught with', () => {
  let database: Database;
  before(async () => {
    database = await Database.start(script);
  });
  after(() => database.stop());

  it('are examples of its definition that run', async () => {
    const { examples = [] } = database.toolkit.kernel.registry.get('postgres_execute_sql').definition;
    const results: SqlResult[] = [];
    for (const { parameters } of examples)
      results.push((await database.toolkit.execute('postgres_execute_sql', parameters)) as unknown as SqlResult);
    expect(results.map(({ rows }) => rows)).to.deep.equal([
      ['customers', 'orders'].map((name) => ({ table_schema: 'public', table_name: name, table_type: 'BASE TABLE' })),
      [{ id: 1, customer_id: 3, total: '12.50' }],
      [{ id: 42, city: 'Zürich' }],
    ]);
  });

  it('are calls in its skill that run and find something', async () => {
    const skill = await readFile(path.join(packFolder('postgres'), 'SKILL.md'), 'utf8');
    const calls = [...skill.matchAll(/`(\{"sql": .*\})`/g)].map((match) => JSON.parse(match[1] ?? '') as { sql: string });
    expect(calls).to.have.length.greaterThan(5);
    for (const parameters of calls) {
      const { row_count: count } = (await database.toolkit.execute('postgres_execute_sql', parameters)) as unknown as SqlResult;
      expect(count, parameters.sql).to.be.greaterThan(0);
    }
  });
});
