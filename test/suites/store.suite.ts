import { expect } from 'chai';
import type { Finding, StateStore } from '../../kernel/index.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { PostgresTable } from '../../plugins/store-postgres/postgres-table.ts';
import { memoryLogger, stateStoreChecks } from '../../plugins/toolkit/testing.ts';
import { start } from '../e2e/program.ts';
import { closedPort } from '../support/closed-port.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { RealServer } from './postgres/server.ts';

describe('the store in PostgreSQL', () => {
  let server: RealServer;
  const open: StateStore[] = [];
  before(async () => {
    server = await RealServer.start();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
    await server.undo();
  });
  after(() => server?.stop());

  const storeOf = (url: string): StateStore => {
    const table = () => PostgresTable.open({ url, maxConnections: 5, logger: memoryLogger() });
    const store = new EncryptedStore(table, new Cipher(() => [new Uint8Array(32).fill(7)]));
    open.push(store);
    return store;
  };

  for (const { title, run } of stateStoreChecks(async () => {
    const url = await server.makeDatabase();
    return [storeOf(url), storeOf(url)];
  }))
    it(title, run);

  it('makes its tables once, whoever comes first of many', async () => {
    const url = await server.makeDatabase();
    const stores = Array.from({ length: 8 }, () => storeOf(url));
    await Promise.all(stores.map((store, index) => store.set(`${index}`, '1')));
    expect(await stores[0]?.list('')).to.have.length(8);
  });

  it('says that it cannot be reached, without the password, and is used again as soon as it can', async () => {
    const url = new URL(await server.makeDatabase());
    const name = url.pathname.slice(1);
    const store = storeOf(url.href);
    await store.set('a', '1');
    const told: string[] = [];
    await store.watch('', (key) => told.push(key));
    await server.rows(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    const error = await until(async () =>
      store
        .get('a')
        .then(() => undefined)
        .catch((one: unknown) => one),
    );
    expect(error).to.include({ code: 'STATE_UNAVAILABLE', retryable: true });
    expect(String(error)).to.include(name).and.to.not.include(url.password);
    await server.rows(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until(async () => (await store.get('a').catch(() => undefined)) ?? undefined);
    // Whoever watches is told of what may have changed meanwhile, and of what changes from now on.
    await until(() => told.includes('a') || undefined);
    await store.set('b', '2');
    await until(() => told.includes('b') || undefined);
  });

  it('can be used by a role that owns nothing but its schema', async () => {
    const role = await server.makeRole('a password');
    const url = await server.makeDatabase();
    await server.rowsIn(url, `CREATE SCHEMA ${role} AUTHORIZATION ${role}`);
    const store = storeOf(loggedIn(url, role, 'a password'));
    await store.set('a', '1');
    expect(await store.get('a')).to.equal('1');
  });

  it('says what a role lacks that may make no tables', async () => {
    const role = await server.makeRole('a password');
    const store = storeOf(loggedIn(await server.makeDatabase(), role, 'a password'));
    expect((await rejection(store.get('a'), 'STATE_UNAVAILABLE')).message).to.include('permission denied for schema public');
  });

  describe('toolkit doctor', () => {
    const keys = ['a key of thirty-two bytes or more', 'b key of thirty-two bytes or more'] as const;

    /** Returns the finding of the doctor about the store of this URL. */
    async function storeFinding(url: string, env?: Readonly<Record<string, string>>): Promise<Finding | undefined> {
      const findings = await findingsOf(url, env);
      return findings.find(({ check, message }) => check === 'Store' || message.includes('store-postgres'));
    }

    async function findingsOf(
      url: string,
      env: Readonly<Record<string, string>> = { TOOLKIT_KEY: keys[0] },
      ...args: readonly string[]
    ): Promise<readonly Finding[]> {
      const cwd = await temporaryFolder({
        'package.json': '{}',
        'toolkit.config.yaml': 'plugins: [toolkit/standard, toolkit/plugins/store-postgres]\n',
      });
      const doctor = start(['doctor', '--json', ...args], { cwd, env: { ...env, TOOLKIT_STORE_URL: url } });
      await doctor.exit;
      expect(doctor.stdout()).to.not.include('wrong-password');
      return (JSON.parse(doctor.stdout()) as { findings: readonly Finding[] }).findings;
    }

    /** Returns the states of the findings of `--store`, by check and message. */
    async function thorough(url: string): Promise<readonly string[]> {
      const findings = await findingsOf(url, undefined, '--store');
      return findings.filter(({ check }) => check !== 'Configuration').map(({ check, state, message }) => `${check} ${state}: ${message}`);
    }

    it('says with --store what the database and the role can do', async () => {
      const url = await server.makeDatabase();
      const found = await thorough(url);
      const expected = [
        /^Store ok: store-postgres: opened, written/,
        /^Store server ok: postgresql:\/\/\S+: PostgreSQL \d+\S*.*, role \w+, takes writes$/,
        /^Store pooler ok/,
        /^Store rights ok: create tables, listen and notify, advisory locks, pg_terminate_backend/,
        /^Store tables ok: /,
        /^Store clock ok: this machine is 0\.\d{3} s (ahead of|behind) the database/,
        /^Store latency (ok|warning): a statement takes/,
      ];
      expect(found).to.have.length(expected.length);
      for (const [index, pattern] of expected.entries()) expect(found[index]).to.match(pattern);
      expect(await server.rowsIn(url, "select tablename from pg_tables where tablename like 'toolkit_check%'")).to.deep.equal([]);
    });

    it('names with --store the right that a role lacks', async () => {
      const url = loggedIn(await server.makeDatabase(), await server.makeRole('a password'), 'a password');
      const found = await thorough(url);
      expect(found.filter((finding) => finding.startsWith('Store rights'))).to.have.length(1);
      expect(found.join('\n')).to.match(/Store rights problem: create tables: permission denied/);
    });

    it('says with --store that a database is read-only, and where another host cannot be reached', async () => {
      const url = new URL(await server.makeDatabase());
      await server.rows(`ALTER DATABASE ${url.pathname.slice(1)} SET default_transaction_read_only = on`);
      const found = await thorough(url.href.replace(url.host, `127.0.0.1:${await closedPort()},${url.host}`));
      expect(found).to.have.length(3);
      expect(found[0]).to.match(/^Store problem: .*read-only/);
      expect(found[1]).to.match(/^Store server problem: .*ECONNREFUSED/);
      expect(found[2]).to.match(/^Store server problem: .*, is read-only$/);
    });

    it('reaches a server and says how long it took', async () => {
      const found = await storeFinding(await server.makeDatabase());
      expect(found?.state).to.equal('ok');
      expect(found?.message).to.match(/^store-postgres: opened, written, read and deleted in \d+ ms; /);
    });

    it('warns of a key that processes elsewhere do not have', async () => {
      const found = await storeFinding(await server.makeDatabase(), { XDG_STATE_HOME: await temporaryFolder() });
      expect(found).to.include({ check: 'Store', state: 'warning' });
      expect(found?.hint).to.include('the same TOOLKIT_KEY');
    });

    it('names the variable where others have another key', async () => {
      const url = await server.makeDatabase();
      await storeFinding(url);
      expect((await storeFinding(url, { TOOLKIT_KEY: keys[1] }))?.message).to.include('the same TOOLKIT_KEY');
    });

    const wrong: Readonly<Record<string, { url: () => Promise<string> | string; says: string }>> = {
      'a wrong password': { url: () => server.url({ password: 'wrong-password' }), says: 'Correct user and password of the URL' },
      'a database that there is not': { url: () => server.url({ database: 'nowhere' }), says: 'Create the database' },
      'a server that is down': {
        url: async () => `postgresql://ada:wrong-password@127.0.0.1:${await closedPort()}/toolkit`,
        says: 'Nothing listens there: start the server',
      },
      'a host that there is not': { url: () => 'postgresql://ada:wrong-password@no-such-host.invalid/toolkit', says: 'host' },
      'what is no URL': { url: () => 'localhost:5432/toolkit', says: 'expected postgresql://user:password@host/database' },
      'a role that may make no tables': {
        url: async () => loggedIn(await server.makeDatabase(), await server.makeRole('a password'), 'a password'),
        says: 'Let the role create tables',
      },
      'tables of a later program': {
        url: async () => {
          const url = await server.makeDatabase();
          await server.rowsIn(url, 'CREATE TABLE toolkit_version (version integer); INSERT INTO toolkit_version VALUES (99)');
          return url;
        },
        says: 'Install a newer version of it',
      },
    };
    for (const [what, { url, says }] of Object.entries(wrong))
      it(`says what to do about ${what}`, async () => {
        const found = await storeFinding(await url());
        expect(found?.state).to.equal('problem');
        expect(`${found?.message} ${found?.hint}`).to.include(says);
      });
  });

  it('refuses tables of a later version', async () => {
    const url = await server.makeDatabase();
    await server.rowsIn(url, 'CREATE TABLE toolkit_version (version integer); INSERT INTO toolkit_version VALUES (99)');
    expect((await rejection(storeOf(url).get('a'), 'STATE_UNAVAILABLE')).message).to.include('have version 99');
  });
});

function loggedIn(url: string, user: string, password: string): string {
  return Object.assign(new URL(url), { username: user, password: encodeURIComponent(password) }).href;
}
