import { expect } from 'chai';
import sinon from 'sinon';
import { ToolkitError } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { stoppedDate } from '../../../support/stopped-date.ts';
import type { Asker } from './asker.ts';
import { stores } from './stores.ts';

const minute = 60_000;
const given = { SHOP_TOKEN: 'value-of-shop-token' };

for (const { name, closing, prepare, start } of stores) {
  describe(`${name}: what is remembered`, () => {
    prepare();
    const date = stoppedDate();
    const value = async (asked: Asker, how = {}): Promise<string | undefined> => (await asked.ask(['SHOP_TOKEN'], how)).values.SHOP_TOKEN;

    it('are values, for five minutes, given on for the rest of that time', async () => {
      const { server, asked, write } = await start({ SHOP_TOKEN: 'old' });
      expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 5 * minute });
      write({ SHOP_TOKEN: 'new' });
      date.tick(4 * minute);
      expect(await asked.ask()).to.deep.equal({ values: { SHOP_TOKEN: 'old' }, ttlMs: { SHOP_TOKEN: minute } });
      expect(server.requests).to.have.length(1);
      date.tick(minute);
      expect(await asked.ask()).to.deep.equal({ values: { SHOP_TOKEN: 'new' }, ttlMs: { SHOP_TOKEN: 5 * minute } });
      expect(server.requests).to.have.length(2);
    });

    it('are values for ttlMs, where it is set', async () => {
      const { server, asked } = await start(given, { ttlMs: 10_000 });
      expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 10_000 });
      date.tick(10_000);
      await asked.ask();
      expect(server.requests).to.have.length(2);
    });

    it('are never values for less than a second, so that they do not end on their way to the call', async () => {
      const { server, asked } = await start(given, { ttlMs: 1500 });
      await asked.ask();
      date.tick(999);
      expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 1000 });
      expect(server.requests).to.have.length(1);
      date.tick(1);
      expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 1500 });
      expect(server.requests).to.have.length(2);
    });

    it('are names that the store does not have', async () => {
      const { server, asked } = await start({});
      await asked.ask(['A_TOKEN']);
      date.tick(minute);
      await asked.ask(['B_TOKEN']);
      expect(server.requests).to.have.length(1);
    });

    it('does not count when the values were refused by their service', async () => {
      const { server, asked, write } = await start({ SHOP_TOKEN: 'old' });
      await asked.ask();
      write({ SHOP_TOKEN: 'new' });
      date.tick(1000);
      expect(await value(asked, { isFresh: true })).to.equal('new');
      expect(await value(asked)).to.equal('new');
      expect(server.requests).to.have.length(2);
    });

    it('counts within the same second, also when the values were refused', async () => {
      const { server, asked, write } = await start({ SHOP_TOKEN: 'old' });
      await asked.ask();
      write({ SHOP_TOKEN: 'new' });
      date.tick(999);
      expect(await value(asked, { isFresh: true })).to.equal('old');
      expect(server.requests).to.have.length(1);
    });

    it('does not count when the clock was set back', async () => {
      const { asked, write } = await start({ SHOP_TOKEN: 'old' });
      await asked.ask();
      write({ SHOP_TOKEN: 'new' });
      date.setBack(60 * minute);
      expect(await value(asked)).to.equal('new');
    });

    it('are failures, for a second, also when the values were refused', async () => {
      const { server, asked, become } = await start();
      become('dropping');
      const first = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      for (const isFresh of [false, true]) {
        expect(await rejection(asked.ask(undefined, { isFresh }), 'SECRET_STORE_UNAVAILABLE')).to.equal(first);
      }
      expect(server.requests).to.have.length(1);
      become('well');
      date.tick(1000);
      expect(await value(asked)).to.equal('value-of-shop-token');
    });

    describe('while it is read', () => {
      it('is read once for all who ask', async () => {
        const { server, asked, become } = await start({ A_TOKEN: 'a', B_TOKEN: 'b' });
        become('holding');
        const asks = [asked.ask(['A_TOKEN']), asked.ask(['B_TOKEN']), asked.ask(['A_TOKEN', 'B_TOKEN'], { isFresh: true })];
        await server.received(1);
        server.release();
        const answers = await Promise.all(asks);
        expect(answers.map(({ values }) => values)).to.deep.equal([{ A_TOKEN: 'a' }, { B_TOKEN: 'b' }, { A_TOKEN: 'a', B_TOKEN: 'b' }]);
        expect(server.requests).to.have.length(1);
      });

      it('fails for all who ask, with one request', async () => {
        const { server, asked, become } = await start();
        become('dropping');
        await Promise.all(Array.from({ length: 3 }, () => rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')));
        expect(server.requests).to.have.length(1);
      });

      it('goes on for the others when one of them gives up', async () => {
        const { server, asked, become } = await start();
        become('holding');
        const giveUp = new AbortController();
        const [one, other] = [asked.ask(undefined, { signal: giveUp.signal }), asked.ask()];
        await server.received(1);
        giveUp.abort(new ToolkitError('ABORTED', 'given up'));
        expect((await rejection(one, 'ABORTED')).message).to.equal('given up');
        server.release();
        expect((await other).values).to.deep.equal(given);
        expect(server.requests).to.have.length(1);
      });

      it('ends when all of them give up, and the next one who asks starts anew', async () => {
        const { server, asked, become } = await start();
        become('holding');
        const giveUp = new AbortController();
        const asks = [asked.ask(undefined, { signal: giveUp.signal }), asked.ask(undefined, { signal: giveUp.signal })];
        await server.received(1);
        giveUp.abort(new ToolkitError('ABORTED', 'given up'));
        await Promise.all(asks.map((ask) => rejection(ask, 'ABORTED')));
        const next = asked.ask();
        await server.received(2);
        server.release();
        expect((await next).values).to.deep.equal(given);
      });

      it('does not begin for one who gave up before', async () => {
        const { server, asked } = await start();
        await rejection(asked.ask(undefined, { signal: AbortSignal.abort(new ToolkitError('ABORTED', 'given up')) }), 'ABORTED');
        expect(server.requests).to.deep.equal([]);
      });

      it('leaves no timer behind, which would keep the process alive', async () => {
        const { asked } = await start(given, { timeoutMs: 54_321 });
        const [set, clear] = [sinon.spy(globalThis, 'setTimeout'), sinon.spy(globalThis, 'clearTimeout')];
        try {
          await asked.ask();
          const timers = set.getCalls().filter(({ args }) => args[1] === 54_321);
          expect(timers).to.have.length(1);
          expect(clear.calledWith(timers[0]?.returnValue)).to.equal(true);
        } finally {
          set.restore();
          clear.restore();
        }
      });

      for (const onError of ['fail', 'skip'] as const) {
        it(`ends when the kernel closes, and never begins again, with onError '${onError}'`, async () => {
          const { server, asked, become } = await start(given, { onError });
          become('holding');
          const ask = rejection(asked.ask(), 'ABORTED');
          await server.received(1);
          await asked.kernel.close();
          expect((await ask).message).to.equal(closing);
          date.tick(minute);
          expect((await rejection(asked.ask(), 'ABORTED')).message).to.equal(closing);
          expect(server.requests).to.have.length(1);
          expect(asked.logged('warn')).to.deep.equal([]);
        });
      }
    });
  });
}
