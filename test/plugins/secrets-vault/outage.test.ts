import { expect } from 'chai';
import type { VaultServer } from '../../../fixtures/servers/vault.ts';
import { ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { type Asker, asker, envOf, shop } from './asking.ts';

const minute = 60_000;

describe('secrets-vault: when Vault does not answer in time', () => {
  const clock = stoppedDate({ stopsTimers: true });

  /** Asks, and lets the time of the answer pass once the request is there. */
  async function late({ server, asked }: Awaited<ReturnType<typeof shop>>): Promise<Awaited<ReturnType<Asker['ask']>>> {
    server.fault = { kind: 'hold' };
    const answer = asked.ask();
    await Promise.race([server.received(server.requests.length + 1), answer]);
    clock.tick(5000);
    return answer;
  }

  it('the values of before serve on, a short time each', async () => {
    const { server, asked } = await shop();
    await asked.ask();
    clock.tick(7 * minute);
    expect(await late({ server, asked })).to.deep.equal({ values: { SHOP_TOKEN: 'value-of-shop-token' }, ttlMs: { SHOP_TOKEN: 30_000 } });
    expect(asked.logged('warn')).to.have.length(1);
    expect(asked.logged('warn')[0]).to.match(/Vault at http:\/\/127\.0\.0\.1:\d+ .* Meanwhile serving values of 7 minutes ago\.$/);
  });

  it('and no values are known, the failure may be repeated', async () => {
    const { server, asked } = await shop();
    const error = await rejection(late({ server, asked }), 'SECRET_STORE_UNAVAILABLE');
    expect(error.retryable).to.equal(true);
    expect(error.message).to.include(`Vault at ${server.url}`);
    expect(error.details).to.include({ address: `${server.url}/`, path: 'secret/data/toolkit' });
  });
});

describe('secrets-vault: values that were read before', () => {
  const date = stoppedDate();
  const write = (server: VaultServer, value: string): void => server.mounts.write('secret/data/toolkit', { SHOP_TOKEN: value });
  const value = async (asked: Asker, how = {}): Promise<string | undefined> => (await asked.ask(['SHOP_TOKEN'], how)).values.SHOP_TOKEN;

  describe('when Vault cannot be asked', () => {
    const outages: { what: string; begin: (server: VaultServer) => unknown }[] = [
      { what: 'is not running', begin: (server) => server.close() },
      { what: 'drops the connection', begin: (server) => Object.assign(server, { fault: { kind: 'drop' } }) },
      { what: 'breaks off in the answer', begin: (server) => Object.assign(server, { fault: { kind: 'cut' } }) },
      ...[408, 412, 429, 472, 473, 500, 501, 502, 503, 504].map((status) => ({
        what: `answers with ${status}`,
        begin: (server: VaultServer) => Object.assign(server, { fault: { kind: 'answer', answer: { status, body: '<h1>no</h1>' } } }),
      })),
    ];
    for (const { what, begin } of outages) {
      it(`because it ${what}, the values of before serve on, a short time each`, async () => {
        const { server, asked } = await shop();
        await asked.ask();
        await begin(server);
        date.tick(7 * minute);
        expect(await asked.ask()).to.deep.equal({ values: { SHOP_TOKEN: 'value-of-shop-token' }, ttlMs: { SHOP_TOKEN: 30_000 } });
        expect(asked.logged('warn')).to.have.length(1);
        expect(asked.logged('warn')[0]).to.match(/Vault at http:\/\/127\.0\.0\.1:\d+ .* Meanwhile serving values of 7 minutes ago\.$/);
      });

      it(`because it ${what}, and no values are known, the failure may be repeated`, async () => {
        const { server, asked } = await shop();
        await begin(server);
        const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
        expect(error.retryable).to.equal(true);
        expect(error.message).to.include(`Vault at ${server.url}`);
        expect(error.details).to.include({ address: `${server.url}/`, path: 'secret/data/toolkit' });
      });
    }

    it('it is warned once, however long it lasts, and said when it is over', async () => {
      const { server, asked } = await shop();
      await asked.ask();
      server.fault = { kind: 'drop' };
      for (let asks = 0; asks < 5; asks += 1) {
        date.tick(10 * minute);
        expect(await value(asked)).to.equal('value-of-shop-token');
      }
      expect(server.requests).to.have.length(6);
      expect(asked.logged('warn')).to.have.length(1);
      server.fault = undefined;
      date.tick(minute);
      await asked.ask();
      expect(asked.logged('info')).to.deep.equal(['Vault can be read again.']);
      server.fault = { kind: 'drop' };
      date.tick(10 * minute);
      await asked.ask();
      expect(asked.logged('warn')).to.have.length(2);
    });

    it('it is asked again when the short time is over, and not before', async () => {
      const { server, asked } = await shop();
      await asked.ask();
      server.fault = { kind: 'drop' };
      date.tick(10 * minute);
      await asked.ask();
      date.tick(29_000);
      expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 1000 });
      expect(server.requests).to.have.length(2);
      write(server, 'new');
      server.fault = undefined;
      date.tick(1000);
      expect(await value(asked)).to.equal('new');
    });

    it('it is asked again at once when the values were refused by their service', async () => {
      const { server, asked } = await shop();
      await asked.ask();
      server.fault = { kind: 'drop' };
      date.tick(minute);
      expect(await value(asked, { isFresh: true })).to.equal('value-of-shop-token');
      write(server, 'new');
      server.fault = undefined;
      date.tick(1000);
      expect(await value(asked, { isFresh: true })).to.equal('new');
    });

    for (const [age, words] of [
      [301_000, '5 minutes'],
      [7_260_000, '2 hours'],
      [90_000_000, '25 hours'],
    ] as const) {
      it(`the age of the values is told as ${words}`, async () => {
        const { server, asked } = await shop();
        await asked.ask();
        server.fault = { kind: 'drop' };
        date.tick(age);
        await asked.ask();
        expect(asked.logged('warn')[0]).to.match(new RegExp(`serving values of ${words} ago\\.$`));
      });
    }

    it('the age of the values is told in seconds where they are young', async () => {
      const { server, asked } = await shop(undefined, { ttlMs: 1000 });
      await asked.ask();
      server.fault = { kind: 'drop' };
      date.tick(1000);
      await asked.ask();
      expect(asked.logged('warn')[0]).to.include('serving values of 1 second ago.');
    });
  });

  describe('when Vault refuses', () => {
    const refusals: { what: string; begin: (server: VaultServer) => unknown }[] = [
      { what: 'is sealed', begin: (server) => Object.assign(server, { fault: { kind: 'sealed' } }) },
      { what: 'answers with 403', begin: (server) => Object.assign(server, { fault: { kind: 'answer', answer: { status: 403 } } }) },
      { what: 'has deleted the version', begin: (server) => server.mounts.remove('secret/data/toolkit', 'deleted') },
      { what: 'has destroyed the version', begin: (server) => server.mounts.remove('secret/data/toolkit', 'destroyed') },
      { what: 'has nothing there', begin: (server) => Object.assign(server, { fault: { kind: 'answer', answer: { status: 404 } } }) },
    ];
    for (const { what, begin } of refusals) {
      it(`because it ${what}, the values of before do not serve, not in an outage that follows either`, async () => {
        const { server, asked } = await shop();
        await asked.ask();
        begin(server);
        date.tick(10 * minute);
        expect((await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')).retryable).to.equal(false);
        server.fault = { kind: 'drop' };
        date.tick(1000);
        expect((await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')).retryable).to.equal(true);
        expect(asked.records).to.deep.equal([]);
      });
    }
  });

  describe("with onError 'skip'", () => {
    it('a failure is a warning, once until it changes or ends', async () => {
      const { server, asked } = await shop(undefined, { onError: 'skip' });
      const ask = async (): Promise<unknown> => {
        date.tick(10 * minute);
        return (await asked.ask()).values;
      };
      server.fault = { kind: 'sealed' };
      expect([await ask(), await ask()]).to.deep.equal([{}, {}]);
      expect(asked.logged('warn')).to.have.length(1);
      expect(asked.logged('warn')[0])
        .to.include('is sealed')
        .and.to.match(/ The next resolver is asked\.$/);
      expect(asked.records[0]?.meta).to.deep.equal({ code: 'SECRET_STORE_UNAVAILABLE', retryable: false });
      server.fault = { kind: 'drop' };
      expect(await ask()).to.deep.equal({});
      expect(asked.logged('warn')).to.have.length(2);
      server.fault = undefined;
      expect(await ask()).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
      server.fault = { kind: 'sealed' };
      expect(await ask()).to.deep.equal({});
      server.fault = undefined;
      await ask();
      server.fault = { kind: 'sealed' };
      await ask();
      expect(asked.logged('warn')).to.have.length(4);
    });

    it('a wrong configuration is a warning, too', async () => {
      const asked = await asker({ env: {}, onError: 'skip' });
      expect((await asked.ask()).values).to.deep.equal({});
      expect(asked.logged('warn')[0]).to.include('Set VAULT_ADDR');
    });

    it('values of before are served in an outage', async () => {
      const { server, asked } = await shop(undefined, { onError: 'skip' });
      await asked.ask();
      server.fault = { kind: 'drop' };
      date.tick(10 * minute);
      expect(await value(asked)).to.equal('value-of-shop-token');
    });

    it('one who gives up gets the reason', async () => {
      const server = (await shop()).server;
      const asked = await asker({ env: envOf(server), onError: 'skip' });
      server.fault = { kind: 'hold' };
      const giveUp = new AbortController();
      const ask = rejection(asked.ask(undefined, { signal: giveUp.signal }), 'SECRET_STORE_UNAVAILABLE');
      await server.received(1);
      giveUp.abort(new ToolkitError('SECRET_STORE_UNAVAILABLE', 'given up'));
      expect((await ask).message).to.equal('given up');
    });
  });
});
