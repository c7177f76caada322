import { expect } from 'chai';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { type AuthTool, type AuthToolOptions, authTool } from '../auth-tool.ts';
import { type Certificates, certificateServer, makeCertificates, type Pair, passphrase, trust } from '../certificates.ts';

const auth = { type: 'client_certificate', certificate: '{CERTIFICATE}', private_key: '{PRIVATE_KEY}' };
const withPassphrase = { ...auth, passphrase: '{PRIVATE_KEY_WORD}' };

describe('executor-http: client certificates', () => {
  let made: Certificates;
  before(async () => {
    made = await makeCertificates();
  });

  const secretsOf = ({ cert, key }: Pair): Record<string, string> => ({ SHOP_CERTIFICATE: cert, PRIVATE_KEY: key });

  /** A tool that sends its tenant beside the certificate of alice, unless told otherwise. */
  function tool(url: string, options: Partial<AuthToolOptions> = {}): Promise<AuthTool> {
    const { execution = { auth }, env = secretsOf(made.alice), ...more } = options;
    const headers = { 'X-Tenant': '{tenant}' };
    return authTool({ ...more, env, parameters: { tenant: {} }, execution: { url: `${url}/list`, headers, ...execution } });
  }

  it('are shown to the service, from the tool and from the provider', async () => {
    const { url, calls } = await certificateServer(made);
    trust(made.ca);
    for (const options of [
      { execution: { auth } },
      { execution: {}, provider: auth },
      { execution: {}, provider: [{ type: 'none' }, auth] },
    ]) {
      const { call } = await tool(url, options);
      expect((await call()).output).to.deep.equal({ name: 'alice' });
    }
    expect(calls.map(({ name, isProven }) => [name, isProven])).to.deep.equal(Array(3).fill(['alice', true]));
  });

  it('may have a key that a passphrase opens', async () => {
    const { url } = await certificateServer(made);
    trust(made.ca);
    const env = { SHOP_CERTIFICATE: made.alice.cert, PRIVATE_KEY: made.aliceEncryptedKey, PRIVATE_KEY_WORD: passphrase };
    const { call } = await tool(url, { execution: { auth: withPassphrase }, env });
    expect((await call()).output).to.deep.equal({ name: 'alice' });
  });

  it('are not shown by a tool that has none, nor by one that says none', async () => {
    const { url, calls } = await certificateServer(made);
    trust(made.ca);
    for (const options of [{ execution: {} }, { execution: { auth: { type: 'none' } }, provider: auth }]) {
      const { call } = await tool(url, options);
      await rejection(call(), 'AUTH_FAILED');
    }
    expect(calls.map(({ name }) => name)).to.deep.equal([undefined, undefined]);
  });

  for (const missing of ['certificate', 'private_key']) {
    it(`are left out where nobody has an optional ${missing}, and then need no plugin that shows them`, async () => {
      const { url, calls } = await certificateServer(made);
      trust(made.ca);
      const plugins = [secretsEnv({ env: secretsOf(made.alice) }), credentialsPlaceholder(), executorHttp()];
      const { call } = await tool(url, { execution: { auth: { ...auth, [missing]: '{OPTIONAL_KEY}' } }, plugins });
      await rejection(call(), 'AUTH_FAILED');
      expect(calls.map(({ name }) => name)).to.deep.equal([undefined]);
    });
  }

  it('that the service does not know are refused by it', async () => {
    const { url, calls } = await certificateServer(made);
    trust(made.ca);
    const { call } = await tool(url, { env: secretsOf(made.stranger) });
    await rejection(call(), 'AUTH_FAILED');
    expect(calls.map(({ name, isProven }) => [name, isProven])).to.deep.equal([['stranger', false]]);
  });

  it('go to no server that cannot prove itself', async () => {
    const { url, calls } = await certificateServer(made);
    const { call } = await tool(url);
    const error = await rejection(call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.match(/certificate/i);
    expect(calls).to.deep.equal([]);
  });

  // With a wrong key the padding is right once in 256 times, and then what was decrypted is no ASN.1.
  const undecryptable = /decrypt|cipher|passphrase|interrupted|asn1|wrong tag|too long|decoder|unsupported/i;

  const unusable: readonly { title: string; env: () => Record<string, string>; auth?: object; says: RegExp }[] = [
    {
      title: 'a key that belongs to another certificate',
      env: () => secretsOf({ cert: made.alice.cert, key: made.bob.key }),
      says: /key values mismatch/i,
    },
    { title: 'a certificate that is none', env: () => secretsOf({ cert: 'planted', key: made.alice.key }), says: /PEM|start line/i },
    { title: 'a key that is none', env: () => secretsOf({ cert: made.alice.cert, key: 'planted' }), says: /decoder|unsupported|PEM/i },
    {
      title: 'a wrong passphrase',
      env: () => ({ SHOP_CERTIFICATE: made.alice.cert, PRIVATE_KEY: made.aliceEncryptedKey, PRIVATE_KEY_WORD: 'planted-word' }),
      auth: withPassphrase,
      says: undecryptable,
    },
    {
      title: 'an encrypted key without a passphrase',
      env: () => ({ SHOP_CERTIFICATE: made.alice.cert, PRIVATE_KEY: made.aliceEncryptedKey }),
      says: undecryptable,
    },
  ];
  for (const { title, env, auth: used = auth, says } of unusable) {
    it(`fail a call, which says why and shows nothing of them: ${title}`, async () => {
      const { url, calls } = await certificateServer(made);
      trust(made.ca);
      const { call, records } = await tool(url, { env: env(), execution: { auth: used } });
      const error = await call().then(
        () => Promise.reject(new Error('expected a rejection')),
        (thrown: Error) => thrown,
      );
      expect(error.message).to.match(says);
      const text = JSON.stringify([error, error.message, error.stack, String(error.cause), records]);
      for (const line of [...Object.values(env()).flatMap((pem) => pem.split('\n'))].filter(({ length }) => length > 6)) {
        if (!line.startsWith('-----')) expect(text).to.not.include(line);
      }
      expect(calls).to.deep.equal([]);
    });
  }

  it('are refused without a plugin that can show them, before anything is sent', async () => {
    const { url, calls } = await certificateServer(made);
    trust(made.ca);
    const plugins = [secretsEnv({ env: secretsOf(made.alice) }), credentialsPlaceholder(), executorHttp()];
    const { call } = await tool(url, { plugins });
    const error = await rejection(call(), 'EXECUTION_FAILED');
    expect(error.message).to.equal('No plugin of this configuration sends client certificates. Add guardOutbound().');
    expect(calls).to.deep.equal([]);
  });

  it('are not shown to another origin, and not to the first one when that one sends the call back', async () => {
    const back = { url: '' };
    const elsewhere = await certificateServer(made, () => ({ status: 302, location: `${back.url}/end` }));
    const first = await certificateServer(made, ({ path }) => (path === '/list' ? { status: 302, location: `${elsewhere.url}/x` } : {}));
    back.url = first.url;
    trust(made.ca);
    const { call } = await tool(first.url);
    await call().catch(() => {});
    expect(elsewhere.calls.map(({ path, name }) => [path, name])).to.deep.equal([['/x', undefined]]);
    expect(first.calls.map(({ path, name }) => [path, name])).to.deep.equal([
      ['/list', 'alice'],
      ['/end', undefined],
    ]);
  });

  it('stay with a call inside the origin', async () => {
    const { url, calls } = await certificateServer(made, ({ path }) => (path === '/list' ? { status: 307, location: '/end' } : {}));
    trust(made.ca);
    const { call } = await tool(url);
    expect((await call()).output).to.deep.equal({ name: 'alice' });
    expect(calls.map(({ path, name }) => [path, name])).to.deep.equal([
      ['/list', 'alice'],
      ['/end', 'alice'],
    ]);
  });
});
