import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach as afterEachTest } from '../../support/after-each.ts';
import { closedPort } from '../../support/closed-port.ts';
import { rejection } from '../../support/rejection.ts';
import { packToolkit } from '../packs.ts';
import { Database, password, runSql, sqlToolkit } from './database.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
const toolkits: Toolkit[] = [];

afterEachTest(async () => {
  await Promise.all(toolkits.splice(0).map((toolkit) => toolkit.close()));
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A server that is no PostgreSQL, on a free loopback port. */
async function strangeServer(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return String((server.address() as AddressInfo).port);
}

const names = (port: string): Record<string, string> => ({
  POSTGRES_HOST: '127.0.0.1',
  POSTGRES_PORT: port,
  POSTGRES_USER: 'ada',
  POSTGRES_PASSWORD: password,
  POSTGRES_DATABASE: 'db',
});

/** Closed after the test. */
async function withEnv(env: Record<string, string>): Promise<Toolkit> {
  const toolkit = await sqlToolkit(env);
  toolkits.push(toolkit);
  return toolkit;
}

describe('connecting to PostgreSQL', () => {
  it('needs user, password and database, or a URL in their place', async () => {
    const complete = names(String(await closedPort()));
    for (const name of ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DATABASE']) {
      const { [name]: _, ...env } = complete;
      const error = await rejection(runSql(await withEnv(env), 'SELECT 1'), 'MISSING_PARAMETER');
      expect(error.message).to.include(`Missing required parameter: ${name}.`).and.include('or POSTGRES_URL in its place');
    }
    await rejection(
      runSql(await withEnv({ POSTGRES_URL: `postgresql://ada@127.0.0.1:${complete['POSTGRES_PORT']}` }), 'SELECT 1'),
      'UPSTREAM_UNAVAILABLE',
    );
  });

  it('says where nothing listens', async () => {
    const port = String(await closedPort());
    const error = await rejection(runSql(await withEnv(names(port)), 'SELECT 1'), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.equal(
      `PostgreSQL at 127.0.0.1:${port} cannot be reached: nothing listens there. Check its address, and whether it runs.`,
    );
    expect(error.retryable).to.equal(true);
  });

  it('says nothing of a URL but its name', async () => {
    const port = String(await closedPort());
    const url = `postgresql://ada:${password}@127.0.0.1:${port}/db`;
    const error = await rejection(runSql(await withEnv({ POSTGRES_URL: url }), 'SELECT 1'), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('PostgreSQL at the server of POSTGRES_URL cannot be reached');
    for (const part of [password, port, 'ada', '127.0.0.1']) expect(JSON.stringify(error) + error.stack).to.not.include(part);
  });

  const unreachable: readonly { what: string; host: string; says: string }[] = [
    { what: 'a name that does not exist', host: 'no-such-host.invalid', says: 'the name of the host' },
    { what: 'a socket that does not exist', host: '/no/such/folder', says: 'there is no such socket' },
  ];
  for (const { what, host, says } of unreachable) {
    it(`says what is wrong with ${what}`, async () => {
      const toolkit = await withEnv({ ...names('5432'), POSTGRES_HOST: host });
      expect((await rejection(runSql(toolkit, 'SELECT 1'), 'UPSTREAM_UNAVAILABLE')).message).to.include(says);
    });
  }

  it('takes what answers in another way for no PostgreSQL', async () => {
    for (const answer of ['HTTP/1.1 400 Bad Request\r\n\r\n', '']) {
      const toolkit = await withEnv(names(await strangeServer((socket) => socket.end(answer))));
      await rejection(runSql(toolkit, 'SELECT 1'), 'UPSTREAM_UNAVAILABLE');
    }
  });

  it('wants TLS from another host, and says how to do without', async () => {
    // The answer to SSLRequest by a server that has no TLS.
    const port = await strangeServer((socket) => socket.once('data', () => socket.write('N')));
    const toolkit = await withEnv({ ...names(port), POSTGRES_SSLMODE: 'require' });
    const error = await rejection(runSql(toolkit, 'SELECT 1'), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('does not offer TLS. Set POSTGRES_SSLMODE=disable');
    expect(error.retryable).to.equal(false);
  });

  it('ends when the caller gives up', async () => {
    let seen = (): void => {};
    const connected = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const port = await strangeServer(() => seen());
    const toolkit = await withEnv(names(port));
    const abort = new AbortController();
    const call = toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters: { sql: 'SELECT 1' }, signal: abort.signal });
    await connected;
    abort.abort();
    await rejection(call, 'ABORTED');
  });

  const wrong: readonly { env: Record<string, string>; says: string }[] = [
    { env: { ...names('5432'), POSTGRES_PORT: '65536' }, says: 'expected an integer from 1 to 65535' },
    { env: { ...names('5432'), POSTGRES_PORT: 'http' }, says: 'POSTGRES_PORT' },
    { env: { ...names('5432'), POSTGRES_SSLMODE: 'prefer' }, says: 'expected disable, require, verify-ca, verify-full' },
    { env: { POSTGRES_URL: `postgresql://ada:${password}@127.0.0.1:5432/db?sslmode=no-verify` }, says: 'sslmode in POSTGRES_URL' },
    { env: { POSTGRES_URL: `mysql://ada:${password}@127.0.0.1/db` }, says: 'another scheme' },
    { env: { POSTGRES_URL: `ada:${password}` }, says: 'Expected postgresql://' },
    { env: { POSTGRES_URL: `postgresql://ada:${password}#@127.0.0.1/db` }, says: 'percent-encoded' },
    { env: { POSTGRES_URL: `postgresql://ada:%zz${password}@127.0.0.1/db` }, says: '"%" that encodes nothing' },
    { env: { POSTGRES_URL: `postgresql://ada:${password}@one,two/db` }, says: 'several hosts' },
    { env: { POSTGRES_URL: `postgresql://127.0.0.1:5432/${password}` }, says: 'names no user' },
    {
      env: { POSTGRES_URL: `postgresql://ada:${password}@127.0.0.1/db?sslmode=verify-ca&sslrootcert=/no/such/file` },
      says: 'sslrootcert of POSTGRES_URL names cannot be read (ENOENT)',
    },
  ];
  for (const { env, says } of wrong) {
    it(`refuses settings that mean nothing, without showing a password: ${says}`, async () => {
      const error = await rejection(runSql(await withEnv(env), 'SELECT 1'), 'CONFIG_INVALID');
      expect(error.message).to.include(says);
      expect(JSON.stringify(error) + error.stack).to.not.include(password);
    });
  }
});

describe('credentials of postgres_execute_sql', () => {
  const marked = (mark: string): string => `CREATE TABLE t AS SELECT '${mark}'::text AS mark`;
  let one: Database;
  let two: Database;
  before(async () => {
    one = await Database.start(marked('one'));
    two = await Database.start(marked('two'));
  });
  after(async () => {
    await one.stop();
    await two.stop();
  });

  const markAt = async (toolkit: Toolkit, credentials: Readonly<Record<string, string>>): Promise<unknown> =>
    (await toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters: { sql: 'SELECT mark FROM t' }, credentials })).output;

  it('of a call lead to its own server, however many calls there are at once', async () => {
    const { toolkit } = one;
    const calls = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : two));
    const results = await Promise.all(calls.map((database) => markAt(toolkit, database.env)));
    expect(results.map((result) => (result as { rows: { mark: string }[] }).rows[0]?.mark)).to.deep.equal(
      calls.map((database) => (database === one ? 'one' : 'two')),
    );
  });

  it('of a call go before a URL of the environment', async () => {
    const toolkit = await withEnv({ POSTGRES_URL: urlOf(one) });
    expect(await markAt(toolkit, {})).to.deep.include({ rows: [{ mark: 'one' }] });
    expect(await markAt(toolkit, two.env)).to.deep.include({ rows: [{ mark: 'two' }] });
  });

  it('may be a URL, which goes before everything else', async () => {
    const toolkit = await withEnv({ ...one.env, POSTGRES_URL: urlOf(two) });
    expect(await markAt(toolkit, {})).to.deep.include({ rows: [{ mark: 'two' }] });
  });

  it('that a model gives are refused', async () => {
    const parameters = { sql: 'SELECT 1', POSTGRES_URL: urlOf(two) };
    await rejection(one.toolkit.kernel.call({ tool: 'postgres_execute_sql', parameters, origin: 'model' }), 'INVALID_PARAMETERS');
  });

  it('may have parameters in the URL that have no effect, and the log names them', async () => {
    const logger = memoryLogger();
    const url = `${urlOf(one)}?application_name=books&target_session_attrs=any&channel_binding=prefer`;
    const toolkit = await packToolkit('postgres', { env: { POSTGRES_URL: url }, logger });
    for (let call = 0; call < 2; call++) await runSql(toolkit, 'SELECT 1');
    const warnings = logger.records.filter(({ message }) => message.includes('POSTGRES_URL'));
    expect(warnings.map(({ meta }) => meta?.['parameters'])).to.deep.equal([['target_session_attrs', 'channel_binding']]);
  });

  function urlOf({ env }: Database): string {
    return `postgresql://postgres:${password}@127.0.0.1:${env['POSTGRES_PORT']}/postgres`;
  }
});
