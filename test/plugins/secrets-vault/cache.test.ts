import { expect } from 'chai';
import type { VaultServer } from '../../../fixtures/servers/vault.ts';
import { ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { type Asker, shop } from './asking.ts';

const minute = 60_000;

describe('secrets-vault: what is remembered', () => {
  const date = stoppedDate();
  const write = (server: VaultServer, value: string): void => server.mounts.write('secret/data/toolkit', { SHOP_TOKEN: value });
  const value = async (asked: Asker, how = {}): Promise<string | undefined> => (await asked.ask(['SHOP_TOKEN'], how)).values.SHOP_TOKEN;

  it('are values, for five minutes, given on for the rest of that time', async () => {
    const { server, asked } = await shop({ SHOP_TOKEN: 'old' });
    expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 5 * minute });
    write(server, 'new');
    date.tick(4 * minute);
    expect(await asked.ask()).to.deep.equal({ values: { SHOP_TOKEN: 'old' }, ttlMs: { SHOP_TOKEN: minute } });
    expect(server.requests).to.have.length(1);
    date.tick(minute);
    expect(await asked.ask()).to.deep.equal({ values: { SHOP_TOKEN: 'new' }, ttlMs: { SHOP_TOKEN: 5 * minute } });
    expect(server.requests).to.have.length(2);
  });

  it('are values for ttlMs, where it is set', async () => {
    const { server, asked } = await shop(undefined, { ttlMs: 10_000 });
    expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 10_000 });
    date.tick(10_000);
    await asked.ask();
    expect(server.requests).to.have.length(2);
  });

  it('are never values for less than a second, so that they do not end on their way to the call', async () => {
    const { server, asked } = await shop(undefined, { ttlMs: 1500 });
    await asked.ask();
    date.tick(999);
    expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 1000 });
    expect(server.requests).to.have.length(1);
    date.tick(1);
    expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 1500 });
    expect(server.requests).to.have.length(2);
  });

  it('are names that Vault does not have', async () => {
    const { server, asked } = await shop({});
    await asked.ask(['A_TOKEN']);
    date.tick(minute);
    await asked.ask(['B_TOKEN']);
    expect(server.requests).to.have.length(1);
  });

  it('does not count when the values were refused by their service', async () => {
    const { server, asked } = await shop({ SHOP_TOKEN: 'old' });
    await asked.ask();
    write(server, 'new');
    date.tick(1000);
    expect(await value(asked, { isFresh: true })).to.equal('new');
  });

  it('counts within the same second, also when the values were refused', async () => {
    const { server, asked } = await shop({ SHOP_TOKEN: 'old' });
    await asked.ask();
    write(server, 'new');
    date.tick(999);
    expect(await value(asked, { isFresh: true })).to.equal('old');
    expect(server.requests).to.have.length(1);
  });

  it('does not count when the clock was set back', async () => {
    const { server, asked } = await shop({ SHOP_TOKEN: 'old' });
    await asked.ask();
    write(server, 'new');
    date.setBack(60 * minute);
    expect(await value(asked)).to.equal('new');
  });

  it('are failures, for a second', async () => {
    const { server, asked } = await shop();
    server.fault = { kind: 'answer', answer: { status: 500, body: { errors: [] } } };
    const first = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')).to.equal(first);
    expect(server.requests).to.have.length(1);
    server.fault = undefined;
    date.tick(1000);
    expect(await value(asked)).to.equal('value-of-shop-token');
  });

  describe('while it is read', () => {
    it('is read once for all who ask', async () => {
      const { server, asked } = await shop({ A_TOKEN: 'a', B_TOKEN: 'b' });
      server.fault = { kind: 'hold' };
      const asks = [asked.ask(['A_TOKEN']), asked.ask(['B_TOKEN']), asked.ask(['A_TOKEN', 'B_TOKEN'], { isFresh: true })];
      await server.received(1);
      server.release();
      const answers = await Promise.all(asks);
      expect(answers.map(({ values }) => values)).to.deep.equal([{ A_TOKEN: 'a' }, { B_TOKEN: 'b' }, { A_TOKEN: 'a', B_TOKEN: 'b' }]);
      expect(server.requests).to.have.length(1);
    });

    it('fails for all who ask, with one request', async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'drop' };
      await Promise.all(Array.from({ length: 3 }, () => rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')));
      expect(server.requests).to.have.length(1);
    });

    it('goes on for the others when one of them gives up', async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'hold' };
      const giveUp = new AbortController();
      const [one, other] = [asked.ask(undefined, { signal: giveUp.signal }), asked.ask()];
      await server.received(1);
      giveUp.abort(new ToolkitError('ABORTED', 'given up'));
      expect((await rejection(one, 'ABORTED')).message).to.equal('given up');
      server.release();
      expect((await other).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
      expect(server.requests).to.have.length(1);
    });

    it('ends when all of them give up, and the next one who asks starts anew', async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'hold' };
      const giveUp = new AbortController();
      const asks = [asked.ask(undefined, { signal: giveUp.signal }), asked.ask(undefined, { signal: giveUp.signal })];
      await server.received(1);
      giveUp.abort(new ToolkitError('ABORTED', 'given up'));
      await Promise.all(asks.map((ask) => rejection(ask, 'ABORTED')));
      const next = asked.ask();
      await server.received(2);
      server.release();
      expect((await next).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
    });

    it('ends at the server, too, and is no failure, when all of them give up', async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'hold' };
      const giveUp = new AbortController();
      const ask = rejection(asked.ask(undefined, { signal: giveUp.signal }), 'ABORTED');
      await server.received(1);
      giveUp.abort(new ToolkitError('ABORTED', 'given up'));
      await ask;
      await server.abandoned();
      server.release();
      expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
    });

    it('does not begin for one who gave up before', async () => {
      const { server, asked } = await shop();
      await rejection(asked.ask(undefined, { signal: AbortSignal.abort(new ToolkitError('ABORTED', 'given up')) }), 'ABORTED');
      expect(server.requests).to.deep.equal([]);
    });

    it('ends when the kernel closes', async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'hold' };
      const ask = rejection(asked.ask(), 'ABORTED');
      await server.received(1);
      await asked.close();
      await ask;
    });
  });
});
