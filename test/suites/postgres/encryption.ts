import { expect } from 'chai';
import { until } from '../../e2e/program.ts';
import { Calls } from './calls.ts';
import { certifiedRole } from './own-server.ts';
import type { RealServer } from './server.ts';

const isEncrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

interface Case {
  readonly sslmode: string;
  /** The certificate names localhost, and no address. */
  readonly host: 'localhost' | '127.0.0.1';
  readonly authority?: 'ca' | 'stranger';
  /** True when the connection is encrypted, or Node's code for the fault of the certificate. */
  readonly gives: boolean | string;
}

const cases: readonly Case[] = [
  { sslmode: 'disable', host: 'localhost', gives: false },
  { sslmode: 'require', host: '127.0.0.1', gives: true },
  { sslmode: 'require', host: '127.0.0.1', authority: 'ca', gives: true },
  { sslmode: 'require', host: 'localhost', authority: 'stranger', gives: 'SELF_SIGNED_CERT_IN_CHAIN' },
  { sslmode: 'verify-ca', host: 'localhost', gives: 'SELF_SIGNED_CERT_IN_CHAIN' },
  { sslmode: 'verify-ca', host: 'localhost', authority: 'stranger', gives: 'SELF_SIGNED_CERT_IN_CHAIN' },
  { sslmode: 'verify-ca', host: 'localhost', authority: 'ca', gives: true },
  { sslmode: 'verify-ca', host: '127.0.0.1', authority: 'ca', gives: true },
  { sslmode: 'verify-full', host: 'localhost', gives: 'SELF_SIGNED_CERT_IN_CHAIN' },
  { sslmode: 'verify-full', host: 'localhost', authority: 'stranger', gives: 'SELF_SIGNED_CERT_IN_CHAIN' },
  { sslmode: 'verify-full', host: '127.0.0.1', authority: 'ca', gives: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { sslmode: 'verify-full', host: 'localhost', authority: 'ca', gives: true },
];

/** With a server that was started for the tests: it has certificates and a socket. */
export function describeEncryption(given: () => RealServer): void {
  describe('encryption of postgres_execute_sql', () => {
    const open = (host: string, parameters: Readonly<Record<string, string>>, user?: string): Promise<Calls> =>
      Calls.open(given(), { host, parameters, ...(user === undefined ? {} : { user, password: '' }) });
    const file = (name: string): string => `${given().folder}/${name}`;

    for (const { sslmode, host, authority, gives } of cases) {
      const what = typeof gives === 'string' ? `refuses with ${gives}` : gives ? 'encrypts' : 'does not encrypt';
      it(`${what}: ${sslmode} to ${host} ${authority === undefined ? 'without' : `with ${authority} as`} authority`, async () => {
        const calls = await open(host, { sslmode, ...(authority === undefined ? {} : { sslrootcert: file(`${authority}.crt`) }) });
        if (typeof gives === 'boolean') return expect(await calls.value(isEncrypted)).to.equal(gives);
        const error = await calls.failure('UPSTREAM_UNAVAILABLE', 'SELECT 1');
        expect(error.message).to.include(`is not accepted (${gives})`, error.message);
        return expect(error.retryable).to.equal(false);
      });
    }

    it('proves who calls with a certificate', async () => {
      await given().make(`CREATE ROLE ${certifiedRole} LOGIN`, `DROP ROLE ${certifiedRole}`);
      const parameters = { sslmode: 'verify-full', sslrootcert: file('ca.crt') };
      const calls = await open('localhost', { ...parameters, sslcert: file('client.crt'), sslkey: file('client.key') }, certifiedRole);
      expect(await calls.value('SELECT current_user')).to.equal(certifiedRole);
      await (await open('localhost', parameters, certifiedRole)).failure('AUTH_FAILED', 'SELECT 1');
    });

    it('is not asked for on a Unix socket', async () => {
      const calls = await Calls.open(given(), { parameters: { host: given().folder ?? '', sslmode: 'verify-full' } });
      expect(await calls.value('SELECT inet_client_addr() IS NULL')).to.equal(true);
    });

    it('is not left out when the server has none', async () => {
      const server = given();
      const reload = async (state: 'on' | 'off'): Promise<void> => {
        await server.rows('SELECT pg_reload_conf()');
        await until(async () => ((await server.rows('SHOW ssl'))[0]?.['ssl'] === state ? true : undefined));
      };
      await server.rows('ALTER SYSTEM SET ssl = off');
      await reload('off');
      try {
        const error = await (await open('localhost', { sslmode: 'require' })).failure('UPSTREAM_UNAVAILABLE', 'SELECT 1');
        expect(error.message).to.include('does not offer TLS');
      } finally {
        await server.rows('ALTER SYSTEM RESET ssl');
        await reload('on');
      }
    });
  });
}
