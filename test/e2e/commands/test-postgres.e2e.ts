import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { packFolder } from '../../tools/packs.ts';
import { Database, password } from '../../tools/postgres/database.ts';
import { project } from '../project.ts';
import { type Ended, toolkitTest } from './toolkit-test.ts';

const script = `CREATE TABLE customers (id integer PRIMARY KEY, name text, city text, tags text[], address jsonb);
  CREATE TABLE orders (id integer, customer_id integer, total numeric, placed_at timestamptz);
  INSERT INTO customers VALUES (42, 'Zoë', 'Oslo');
  INSERT INTO orders VALUES (1, 3, 9.90, '2026-02-01');`;

/** A project with the files of the package as tools of its own. */
async function shop() {
  const cwd = await project({ 'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { autoDiscover: false, toolPaths: [./tools] }]\n' });
  const folder = path.join(cwd, 'tools/postgres');
  for (const name of await readdir(packFolder('postgres')))
    if (/\.(ts|yaml|cassette\.json)$/.test(name)) await cp(path.join(packFolder('postgres'), name), path.join(folder, name));
  await symlink(path.resolve('node_modules/pg'), path.join(cwd, 'node_modules/pg'), 'dir');
  const edit = async (name: string, from: string, to: string): Promise<void> => {
    const text = await readFile(path.join(folder, name), 'utf8');
    expect(text).to.include(from);
    await writeFile(path.join(folder, name), text.replace(from, to));
  };
  const cassette = (): Promise<string> => readFile(path.join(folder, 'postgres_execute_sql.cassette.json'), 'utf8');
  const test = (words: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    toolkitTest(cwd, ['postgres_*', ...words], env);
  return { edit, cassette, test };
}

describe('toolkit test postgres_*', () => {
  let database: Database;
  before(async () => {
    database = await Database.start(script);
  });
  after(() => database.stop());

  it('passes from the cassette of the package, without a database and without credentials', async () => {
    const { test } = await shop();
    expect(await test()).to.deep.include({ code: 0, stdout: '✓ postgres_execute_sql  5 examples\n\n1 tool: 1 passed\n' });
  });

  it('shows other SQL and other values as a diff', async () => {
    const { edit, test } = await shop();
    await edit(
      'execute-sql.ts',
      "context.exchange('sql', call,",
      "context.exchange('sql', { ...call, sql: call.sql.replace('id, ', ''), params: call.params.flat() },",
    );
    const { code, stdout } = await test();
    expect(code).to.equal(1);
    expect(stdout).to.include('"Orders of some customers since a day, a few at a time": its exchange "sql" is not the recorded one\n');
    for (const line of [
      '-  "sql": "SELECT id, customer_id, total FROM orders WHERE customer_id = ANY($1::int[]) AND placed_at >= $2::timestamptz ORDER BY id",',
      '+  "sql": "SELECT customer_id, total FROM orders WHERE customer_id = ANY($1::int[]) AND placed_at >= $2::timestamptz ORDER BY id",',
      '-    [',
      '+    3,',
    ])
      expect(stdout).to.include(`      ${line}\n`);
  });

  it('shows how the parameters of an example are others than were recorded', async () => {
    const { edit, test } = await shop();
    await edit('postgres_execute_sql.yaml', 'max_rows: 50', 'max_rows: 5');
    const { code, stdout } = await test();
    expect(code).to.equal(1);
    expect(stdout).to.include(
      '"Orders of some customers since a day, a few at a time" of the definition has other parameters than in the cassette.',
    );
    for (const line of ['-  "max_rows": 50,', '+  "max_rows": 5,']) expect(stdout).to.include(`      ${line}\n`);
  });

  for (const [how, env] of [
    ['names', () => database.env],
    [
      'a URL',
      () => ({ POSTGRES_URL: `postgresql://postgres:${password}@127.0.0.1:${database.env['POSTGRES_PORT']}/postgres?sslmode=disable` }),
    ],
  ] as const)
    it(`records real rows and errors, without password and host, given as ${how}`, async () => {
      const { edit, test, cassette } = await shop();
      await edit(
        'postgres_execute_sql.yaml',
        'examples:\n',
        'examples:\n  - description: A row of every kind\n    parameters: { sql: "SELECT 1::bigint AS n, ARRAY[1.5::float8] AS list, NULL AS no, $1::text AS secret", params: [it] }\n',
      );
      const recorded = await test(['--record'], env());
      expect(recorded.code, recorded.stdout + recorded.stderr).to.equal(0);
      const text = await cassette();
      for (const value of [password, '127.0.0.1', database.env['POSTGRES_PORT'] ?? '', 'sslmode=disable'])
        expect(text).to.not.include(value);
      const { examples } = JSON.parse(text);
      expect(examples[0].exchanges[0].response.answer.rows).to.deep.equal([['1', [1.5], null, 'it']]);
      const failed = examples.find(({ error }: { error?: unknown }) => error !== undefined);
      expect(failed.exchanges[0].response.error.details).to.deep.include({ sqlstate: '42P01', line: 2, column: 6 });
      expect(await test()).to.deep.include({ code: 0, stdout: '✓ postgres_execute_sql  6 examples\n\n1 tool: 1 passed\n' });
    });
});
