import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../../../kernel/index.ts';
import { Cipher } from '../../../../plugins/shared/keys/cipher.ts';
import { ClientRecords } from '../../../../plugins/upstreams/login/client-records.ts';
import { type RegisteredClients, registeredClient } from '../../../../plugins/upstreams/login/registered-client.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const key = Buffer.alloc(32, 7);
const memory = { isShared: false, get: async () => undefined, compareAndSet: async () => false };

/** A store that processes share. */
function sharedState(): ConstructorParameters<typeof ClientRecords>[0]['state'] & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    isShared: true,
    values,
    get: async (name) => values.get(name),
    async compareAndSet(name, expected, value) {
      if (values.get(name) !== expected) return false;
      values.set(name, String(value));
      return true;
    },
  };
}

interface Registrations {
  readonly registered: (readonly string[])[];
  /** The clients of one process. */
  clients(more?: Partial<RegisteredClients>): RegisteredClients;
}

function registrations(records: () => ClientRecords, answer: JsonObject = {}): Registrations {
  const registered: (readonly string[])[] = [];
  const register = async (redirectUris: readonly string[]): Promise<JsonObject> => {
    registered.push(redirectUris);
    return { client_id: `client-${registered.length}`, client_secret: `secret-${registered.length}`, ...answer };
  };
  const clients: Registrations['clients'] = (more = {}) => ({
    ...{ server: 'shop', issuer: 'https://login.example', records: records(), now: () => 1_000_000, register },
    ...more,
  });
  return { registered, clients };
}

const stores = {
  'a shared store': async () => {
    const state = sharedState();
    return () => new ClientRecords({ state, cipher: new Cipher(() => [key]), folder: '' });
  },
  'sealed files': async () => {
    const folder = path.join(await temporaryFolder(), 'clients');
    return () => new ClientRecords({ state: memory, cipher: new Cipher(() => [key]), folder });
  },
} as const;

describe('a client that was registered', () => {
  for (const [name, open] of Object.entries(stores)) {
    it(`is registered once for all processes (${name})`, async () => {
      const { registered, clients } = registrations(await open());
      const first = await registeredClient(clients(), {});
      expect(first).to.include({ id: 'client-1', secret: 'secret-1' });
      expect(await registeredClient(clients(), { redirectUri: 'http://127.0.0.1:4711/callback' })).to.deep.equal(first);
      expect(registered).to.deep.equal([['http://127.0.0.1/callback', 'http://localhost/callback']]);
    });

    it(`is the same for processes that register at the same time (${name})`, async () => {
      const { clients } = registrations(await open());
      const found = await Promise.all(Array.from({ length: 8 }, () => registeredClient(clients(), {})));
      expect(new Set(found.map(({ id }) => id)).size).to.equal(1);
    });

    it(`is another one for another redirect address, and a grant gets its own (${name})`, async () => {
      const { registered, clients } = registrations(await open());
      const local = await registeredClient(clients(), {});
      const web = await registeredClient(clients(), { redirectUri: 'https://tools.example/accounts/callback' });
      expect(web.id).not.to.equal(local.id);
      expect(await registeredClient(clients(), { clientId: web.id })).to.deep.equal(web);
      expect(await registeredClient(clients(), { clientId: local.id })).to.deep.equal(local);
      expect(registered).to.have.length(2);
    });
  }

  it('is bound to its issuer', async () => {
    const { clients } = registrations(await stores['a shared store']());
    const { id } = await registeredClient(clients(), {});
    const other = clients({ issuer: 'https://other.example' });
    expect((await registeredClient(other, { clientId: id })).id).not.to.equal(id);
  });

  it('is registered again when its secret has ended', async () => {
    const { clients } = registrations(await stores['sealed files'](), { client_secret_expires_at: 1500 });
    expect((await registeredClient(clients(), {})).id).to.equal('client-1');
    expect((await registeredClient(clients({ now: () => 1_500_001 }), {})).id).to.equal('client-2');
  });

  it('is stored where others read nothing of it', async () => {
    const folder = await mkdtemp(path.join(await temporaryFolder(), 'clients-'));
    const records = new ClientRecords({ state: memory, cipher: new Cipher(() => [key]), folder });
    await registeredClient(registrations(() => records).clients(), {});
    for (const file of await readdir(folder)) {
      expect(await readFile(path.join(folder, file), 'utf8')).not.to.match(/client|secret|shop|login/);
      expect((await stat(path.join(folder, file))).mode & 0o077).to.equal(0);
    }
  });

  it('is registered again when the key of this host is another one', async () => {
    const folder = path.join(await temporaryFolder(), 'clients');
    const withKey = (byte: number): ClientRecords =>
      new ClientRecords({ state: memory, cipher: new Cipher(() => [Buffer.alloc(32, byte)]), folder });
    let records = withKey(1);
    const { registered, clients } = registrations(() => records);
    await registeredClient(clients(), {});
    records = withKey(2);
    expect((await registeredClient(clients(), {})).id).to.equal('client-2');
    expect((await registeredClient(clients(), {})).id).to.equal('client-2');
    expect(registered).to.have.length(2);
  });
});
