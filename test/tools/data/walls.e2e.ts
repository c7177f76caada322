import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

const planted = 'planted-and-never-shown';

/** Paths for the text of an attack. */
interface Place {
  readonly folder: string;
  /** The file that the query is given. */
  readonly input: string;
  /** A file beside it, which it is not given. */
  readonly secret: string;
  readonly port: number;
}

/** Ways to write, or to reach beyond the given file, by the statement. */
const statements: Readonly<Record<string, (place: Place) => string>> = {
  'COPY over the input in place': ({ input }) => `COPY (SELECT 7) TO '${input}' (USE_TMP_FILE false)`,
  'COPY over the input': ({ input }) => `COPY (SELECT 7) TO '${input}'`,
  'COPY to a new file': ({ folder }) => `COPY data TO '${folder}/new.csv'`,
  'COPY from another file': ({ secret }) => `COPY data FROM '${secret}'`,
  'COPY behind a comment': ({ input }) => `/* SELECT */ COPY (SELECT 7) TO '${input}'`,
  'COPY in an explanation': ({ input }) => `EXPLAIN ANALYZE COPY (SELECT 7) TO '${input}'`,
  'COPY as the second statement': ({ input }) => `SELECT 1; COPY (SELECT 7) TO '${input}' (USE_TMP_FILE false)`,
  'COPY as the first statement': ({ input }) => `COPY (SELECT 7) TO '${input}' (USE_TMP_FILE false); SELECT 1`,
  'two statements that read': () => 'SELECT 1; SELECT 2',
  'EXPORT DATABASE': ({ folder }) => `EXPORT DATABASE '${folder}/export'`,
  'IMPORT DATABASE': ({ folder }) => `IMPORT DATABASE '${folder}'`,
  'ATTACH a new file': ({ folder }) => `ATTACH '${folder}/new.db' AS other`,
  'ATTACH another file': ({ secret }) => `ATTACH '${secret}' AS other (READ_ONLY)`,
  DETACH: () => 'DETACH memory',
  USE: () => 'USE memory.main',
  'CREATE TABLE': () => 'CREATE TABLE x (a INTEGER)',
  'CREATE TABLE AS a file': ({ secret }) => `CREATE TABLE x AS SELECT * FROM read_text('${secret}')`,
  'CREATE VIEW': ({ secret }) => `CREATE VIEW x AS SELECT * FROM read_text('${secret}')`,
  'CREATE MACRO': ({ secret }) => `CREATE MACRO x() AS TABLE SELECT * FROM read_text('${secret}')`,
  'CREATE SECRET': () => "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')",
  'CREATE TYPE by a dynamic PIVOT': () => 'PIVOT data ON name USING count(*)',
  DROP: () => 'DROP TABLE data',
  INSERT: () => "INSERT INTO data VALUES (9, 'x')",
  UPDATE: () => "UPDATE data SET name = 'x'",
  DELETE: () => 'DELETE FROM data',
  'DELETE in WITH': () => 'WITH gone AS (DELETE FROM data RETURNING *) SELECT * FROM gone',
  ALTER: () => 'ALTER TABLE data ADD COLUMN x INTEGER',
  PRAGMA: () => 'PRAGMA version',
  'PRAGMA that writes a profile': ({ folder }) => `PRAGMA profiling_output = '${folder}/profile.json'`,
  'SET external access': () => 'SET enable_external_access = true',
  'SET a lock away': () => 'SET lock_configuration = false',
  'SET a folder for files': ({ folder }) => `SET temp_directory = '${folder}'`,
  RESET: () => 'RESET lock_configuration',
  'CALL of a log into a file': ({ folder }) => `CALL enable_logging(storage = 'file', storage_path = '${folder}/log')`,
  'a log into a file by SELECT': ({ folder }) =>
    `SELECT * FROM enable_logging('QueryLog', storage = 'file', storage_path = '${folder}/log')`,
  'LOAD httpfs': () => 'LOAD httpfs',
  'INSTALL httpfs': () => 'INSTALL httpfs',
  'LOAD a library': ({ secret }) => `LOAD '${secret}'`,
  CHECKPOINT: () => 'CHECKPOINT',
  VACUUM: () => 'VACUUM',
  BEGIN: () => 'BEGIN TRANSACTION',
  'PREPARE and EXECUTE': ({ secret }) => `PREPARE p AS SELECT * FROM read_text('${secret}')`,
  read_text: ({ secret }) => `SELECT content FROM read_text('${secret}')`,
  read_blob: ({ secret }) => `SELECT content FROM read_blob('${secret}')`,
  read_csv: ({ secret }) => `SELECT * FROM read_csv('${secret}')`,
  read_json: ({ secret }) => `SELECT * FROM read_json_objects('${secret}')`,
  read_parquet: ({ secret }) => `SELECT * FROM read_parquet('${secret}')`,
  parquet_metadata: ({ secret }) => `SELECT * FROM parquet_metadata('${secret}')`,
  sniff_csv: ({ secret }) => `SELECT * FROM sniff_csv('${secret}')`,
  'the input by its path': ({ input }) => `SELECT * FROM read_text('${input}')`,
  glob: ({ folder }) => `SELECT * FROM glob('${folder}/*')`,
  'a file as a table': ({ secret }) => `SELECT * FROM '${secret}'`,
  'a file as a quoted table': ({ secret }) => `SELECT * FROM "${secret}"`,
  'a path through the folder above': ({ folder, input }) =>
    `SELECT * FROM read_text('${folder}/${path.basename(folder)}/../secret.txt') -- ${input}`,
  'an open descriptor': () => "SELECT * FROM read_blob('/dev/fd/3')",
  'the environment of the process': () => "SELECT * FROM read_text('/proc/self/environ')",
  'a file in a query of a query': ({ secret }) => `SELECT * FROM query('SELECT * FROM read_text(''${secret}'')')`,
  'COPY in a query of a query': ({ input }) => `SELECT * FROM query('COPY (SELECT 7) TO ''${input}''')`,
  'a table name made at run time': ({ secret }) => `SELECT * FROM query_table('${secret}')`,
  'JSON that runs a statement': ({ secret }) =>
    `SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''${secret}'')'))`,
  'an address over HTTP': ({ port }) => `SELECT * FROM read_csv('http://127.0.0.1:${port}/x.csv')`,
  'an address of S3': ({ port }) => `SELECT * FROM read_parquet('s3://bucket/x.parquet?s3_endpoint=127.0.0.1:${port}')`,
  'the environment': () => "SELECT getenv('PATH')",
};

/** Ways to do so by what is said of the files. */
const files: Readonly<Record<string, (place: Place) => Readonly<Record<string, unknown>>>> = {
  'a table name that ends the statement': ({ input, secret }) => ({
    path: input,
    table: `data" AS SELECT content FROM read_text('${secret}'); --`,
  }),
  'an encoding that ends the text': ({ input }) => ({ path: input, encoding: "utf-8', x='" }),
  'a link to a file outside': ({ folder }) => ({ path: `${folder}/link.csv`, table: 'data' }),
  'a folder': ({ folder }) => ({ path: folder, table: 'data' }),
  'secrets of the project': ({ folder }) => ({ path: `${folder}/.env`, table: 'data', format: 'csv', all_text: true }),
  'a file outside of the roots': () => ({ path: '/etc/hostname', table: 'data', format: 'csv', header: false }),
  'an address': ({ port }) => ({ path: `http://127.0.0.1:${port}/x.csv`, table: 'data' }),
  'a pattern for several files': ({ folder }) => ({ path: `${folder}/*.txt`, table: 'data', format: 'csv' }),
  'a device': () => ({ path: '/dev/fd/0', table: 'data', format: 'csv' }),
};

describe('data_query has no way to write, or to reach beyond the given files', () => {
  const run = sharedDataToolkit();

  async function place(): Promise<Place & { readonly connections: () => number; readonly close: () => void }> {
    const folder = await temporaryFolder({ 'data.csv': 'id,name\n1,x\n2,y\n', 'secret.txt': `${planted}\n`, '.env': `TOKEN=${planted}\n` });
    await symlink('/etc/hostname', path.join(folder, 'link.csv'));
    await mkdir(path.join(folder, path.basename(folder)));
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      folder,
      input: path.join(folder, 'data.csv'),
      secret: path.join(folder, 'secret.txt'),
      port,
      connections: () => connections,
      close: () => server.close(),
    };
  }

  async function stateOf(folder: string): Promise<Readonly<Record<string, string>>> {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    return Object.fromEntries(
      await Promise.all(
        names.map(async (entry) => [entry.name, entry.isFile() ? await readFile(path.join(entry.parentPath, entry.name), 'latin1') : '']),
      ),
    );
  }

  async function fails(attempt: (place: Place) => Promise<unknown>): Promise<void> {
    const at = await place();
    const before = await stateOf(at.folder);
    try {
      const error = await attempt(at).then(
        (output) => expect.fail(`it gave ${JSON.stringify(output)}`),
        (thrown: unknown) => thrown,
      );
      expect(ToolkitError.is(error), String(error)).to.equal(true);
      expect(JSON.stringify([(error as ToolkitError).message, (error as ToolkitError).details])).not.to.include(planted);
      expect((error as ToolkitError).message).not.to.match(/ended in the middle of the call/);
      expect(await stateOf(at.folder)).to.deep.equal(before);
      expect(at.connections()).to.equal(0);
    } finally {
      at.close();
    }
  }

  for (const [name, sql] of Object.entries(statements))
    it(`by ${name}`, () => fails((at) => run('data_query', { sql: sql(at), files: [{ path: at.input }] })));

  for (const [name, file] of Object.entries(files))
    it(`by ${name}`, () => fails((at) => run('data_query', { sql: 'SELECT * FROM data', files: [file(at)] })));

  it('takes quotes in what is said of a file for what they are', async () => {
    const at = await place();
    try {
      const rowsOf = async (options: object): Promise<unknown> =>
        (await run<{ rows: unknown }>('data_query', { sql: 'SELECT * FROM data', files: [{ path: at.input, ...options }] })).rows;
      expect(await rowsOf({ delimiter: "',x" })).to.deep.equal([['1,x'], ['2,y']]);
      expect(await rowsOf({ comment: "'" })).to.deep.equal([
        [1, 'x'],
        [2, 'y'],
      ]);
    } finally {
      at.close();
    }
  });

  it('keeps nothing of one call for the next', async () => {
    const at = await place();
    try {
      await run('data_query', { sql: 'SELECT * FROM data', files: [{ path: at.input }] });
      const other = path.join(at.folder, 'other.csv');
      await writeFile(other, 'a\n1\n');
      const error = await run('data_query', { sql: 'SELECT * FROM data', files: [{ path: other }] }).catch(
        (thrown: Error) => thrown.message,
      );
      expect(error)
        .to.match(/data/)
        .and.to.match(/does not exist/);
    } finally {
      at.close();
    }
  });
});
