import { expect } from 'chai';
import type { CallOutput } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { until } from '../../../support/until.ts';
import { authTool } from '../auth-tool.ts';
import { type Certificates, certificateServer, makeCertificates, type Pair, trust } from '../certificates.ts';

const auth = { type: 'client_certificate', certificate: '{CERTIFICATE}', private_key: '{PRIVATE_KEY}' };
const withPassphrase = { ...auth, passphrase: '{PRIVATE_KEY_WORD}' };

describe('executor-http: client certificates of tenants', () => {
  let made: Certificates;
  before(async () => {
    made = await makeCertificates();
  });

  const own = ({ cert, key }: Pair): Record<string, string> => ({ CERTIFICATE: cert, PRIVATE_KEY: key });

  /** As many different certificates as one likes: an unused passphrase is enough of a difference. */
  const ofItsOwn = (tenant: string): Record<string, string> => ({ ...own(made.bob), PRIVATE_KEY_WORD: `${tenant} only` });

  /** Calls a tool in the name of a tenant, with what it gives. */
  async function caller(
    url: string,
    used?: object,
  ): Promise<(tenant: string, credentials?: Record<string, string>) => Promise<CallOutput>> {
    const execution = { url: `${url}/list`, headers: { 'X-Tenant': '{tenant}' }, ...(used === undefined ? {} : { auth: used }) };
    const { call } = await authTool({ parameters: { tenant: {} }, execution });
    return (tenant, credentials = {}) => call({ parameters: { tenant }, credentials });
  }

  it('of two tenants never share a connection, nor with calls that have none', async () => {
    const { url, calls } = await certificateServer(made);
    trust(made.ca);
    const [call, callWithout] = [await caller(url, auth), await caller(url)];
    for (let round = 0; round < 3; round++) {
      const answers = Array.from({ length: 90 }, (_, n) => {
        if (n % 3 === 2) return rejection(callWithout('nobody'), 'AUTH_FAILED');
        const tenant = n % 3 === 0 ? 'alice' : 'bob';
        return call(tenant, own(made[tenant])).then(({ output }) => expect(output).to.deep.equal({ name: tenant }));
      });
      await Promise.all(answers);
    }
    expect(calls).to.have.lengthOf(270);
    const connections = new Map(calls.map(({ port, name }) => [port, name]));
    for (const { name, tenant, port } of calls) {
      expect(name).to.equal(tenant === 'nobody' ? undefined : tenant);
      expect(connections.get(port)).to.equal(name);
    }
    expect(connections.size).to.be.lessThan(270);
  });

  it('of many tenants at the same time, more than have connections of their own, all come through', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, calls } = await certificateServer(made, () => held);
    trust(made.ca);
    const call = await caller(url, withPassphrase);
    const running: Promise<CallOutput>[] = [];
    for (let n = 0; n < 110; n++) {
      running.push(call(`tenant-${n}`, ofItsOwn(`tenant-${n}`)));
      // One handshake after the other: a hundred at once take longer than a connection may.
      await Promise.race([until(() => calls.length === running.length || undefined), Promise.all(running)]);
    }
    release();
    const answers = await Promise.all(running);
    expect(answers.map(({ output }) => output)).to.deep.equal(Array(110).fill({ name: 'bob' }));
    expect(calls).to.have.lengthOf(110);
  });

  it('of a tenant whose connections give way to others do not end its running call', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await certificateServer(made, ({ tenant }) => (tenant === 'slow' ? held : {}));
    trust(made.ca);
    const call = await caller(url, withPassphrase);
    const use = (tenant: string) => call(tenant, ofItsOwn(tenant));
    const slow = use('slow');
    for (let n = 0; n < 101; n++) await use(`tenant-${n}`);
    release();
    expect((await slow).output).to.deep.equal({ name: 'bob' });
    expect((await use('tenant-0')).output).to.deep.equal({ name: 'bob' });
  });
});
