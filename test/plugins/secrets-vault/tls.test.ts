import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { asker, envOf, shop, vault } from './asking.ts';
import { type Certificates, issue, pemFile } from './certificates.ts';

const given = { SHOP_TOKEN: 'value-of-shop-token' };

describe('secrets-vault: requests over TLS', () => {
  const date = stoppedDate();
  let issued: Certificates;

  before(async () => {
    issued = await issue('IP:127.0.0.1');
  });

  const secure = (tls = issued) => vault({ secrets: { 'secret/data/toolkit': given }, tls });

  it('trust the authority of caCert', async () => {
    const server = await secure();
    const asked = await asker({ env: envOf(server, { VAULT_CACERT: '/nowhere' }), caCert: await pemFile(issued.ca) });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(server.requests).to.have.length(1);
  });

  it('trust the authority of VAULT_CACERT', async () => {
    const asked = await asker({ env: envOf(await secure(), { VAULT_CACERT: await pemFile(issued.ca) }) });
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  it('trust an authority that stands among others', async () => {
    const other = await issue('IP:127.0.0.1');
    const caCert = await pemFile(`# others\n${other.ca}\n${issued.ca}`);
    expect((await (await asker({ env: envOf(await secure()), caCert })).ask()).values).to.deep.equal(given);
  });

  it('trust a certificate that was replaced, after the failure', async () => {
    const caCert = await pemFile((await issue('IP:127.0.0.1')).ca);
    const asked = await asker({ env: envOf(await secure()), caCert });
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    await writeFile(caCert, issued.ca);
    date.tick(1000);
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  it('trust a file that was missing at first', async () => {
    const caCert = path.join(await temporaryFolder(), 'ca.pem');
    const asked = await asker({ env: envOf(await secure()), caCert });
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    await writeFile(caCert, issued.ca);
    date.tick(1000);
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  it('do not read the file for an address without TLS', async () => {
    const { server } = await shop(given);
    expect((await (await asker({ env: envOf(server), caCert: '/nowhere' })).ask()).values).to.deep.equal(given);
  });

  const advice = 'Set VAULT_CACERT, or the option caCert, to the PEM file of the authority that issued its certificate.';
  const distrusted: { what: string; names?: string; days?: number; trusts?: (own: Certificates) => string; says: string }[] = [
    {
      what: 'an authority that nobody knows',
      says: `cannot be trusted: UNABLE_TO_VERIFY_LEAF_SIGNATURE. ${advice}`,
    },
    {
      what: 'another authority',
      trusts: () => issued.ca,
      says: `cannot be trusted: UNABLE_TO_VERIFY_LEAF_SIGNATURE. ${advice}`,
    },
    {
      what: 'a certificate for another name',
      names: 'DNS:vault.example',
      trusts: ({ ca }) => ca,
      says: 'cannot be trusted: ERR_TLS_CERT_ALTNAME_INVALID. Its certificate is for another name: use that name in VAULT_ADDR.',
    },
    {
      what: 'a certificate that is past its time',
      days: 0,
      trusts: ({ ca }) => ca,
      says: 'cannot be trusted: CERT_HAS_EXPIRED. Renew its certificate, and check the clock of this machine.',
    },
  ];
  for (const { what, names = 'IP:127.0.0.1', days, trusts, says } of distrusted) {
    it(`are not sent to a server with ${what}`, async () => {
      const own = await issue(names, days);
      const server = await secure(own);
      const error = await rejection(
        (await asker({ env: envOf(server), ...(trusts === undefined ? {} : { caCert: await pemFile(trusts(own)) }) })).ask(),
        'SECRET_STORE_UNAVAILABLE',
      );
      expect(error.message).to.equal(`Vault at ${server.url} ${says}`);
      expect(error.retryable).to.equal(false);
      expect(server.requests).to.deep.equal([]);
    });
  }

  it('say that the port does not speak TLS', async () => {
    const server = await vault();
    const error = await rejection(
      (await asker({ env: envOf({ url: server.url.replace('http:', 'https:') }) })).ask(),
      'SECRET_STORE_UNAVAILABLE',
    );
    expect(error.message).to.include('The port does not speak TLS as expected: check the scheme and the port of VAULT_ADDR.');
    expect(error.retryable).to.equal(false);
  });

  const files: { what: string; text?: string; says: string }[] = [
    { what: 'that does not exist', says: 'which does not exist. Correct the path or the file.' },
    { what: 'that is empty', text: '', says: 'which holds none.' },
    { what: 'that holds a key', text: '-----BEGIN PRIVATE KEY-----\nhidden\n-----END PRIVATE KEY-----\n', says: 'which holds none.' },
    {
      what: 'with a damaged certificate',
      text: '-----BEGIN CERTIFICATE-----\nhidden\n-----END CERTIFICATE-----\n',
      says: 'in which one is damaged.',
    },
  ];
  for (const { what, text, says } of files) {
    it(`are not sent with a file of certificates ${what}`, async () => {
      const caCert = path.join(await temporaryFolder(text === undefined ? {} : { 'ca.pem': text }), 'ca.pem');
      const server = await secure();
      const error = await rejection((await asker({ env: envOf(server), caCert })).ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(`(caCert, VAULT_CACERT) cannot be used`).and.to.include(`"${caCert}", ${says}`);
      expect(error.message).to.not.include('hidden');
      expect(error.retryable).to.equal(false);
      expect(server.requests).to.deep.equal([]);
    });
  }
});
