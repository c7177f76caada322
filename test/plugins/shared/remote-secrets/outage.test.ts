import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { stoppedDate } from '../../../support/stopped-date.ts';
import { stores } from './stores.ts';

const minute = 60_000;
const given = { SHOP_TOKEN: 'value-of-shop-token' };

for (const { name, label, late, prepare, start } of stores) {
  describe(`${name}: values that were read before`, () => {
    prepare();
    const date = stoppedDate();

    describe('when the store cannot be asked', () => {
      it('serve on, a short time each', async () => {
        const { asked, become } = await start();
        await asked.ask();
        become('dropping');
        date.tick(7 * minute);
        expect(await asked.ask()).to.deep.equal({ values: given, ttlMs: { SHOP_TOKEN: 30_000 } });
        expect(asked.records).to.have.length(1);
        expect(asked.records[0]).to.deep.include({ level: 'warn', meta: { ageMs: 7 * minute } });
        expect(asked.logged('warn')[0]).to.match(/\. Meanwhile serving values of 7 minutes ago\.$/);
      });

      it('are warned about once, however long it lasts, and said to be new when it is over', async () => {
        const { server, asked, become } = await start();
        await asked.ask();
        become('dropping');
        for (let asks = 0; asks < 5; asks += 1) {
          date.tick(10 * minute);
          expect((await asked.ask()).values).to.deep.equal(given);
        }
        expect(server.requests).to.have.length(6);
        expect(asked.logged('warn')).to.have.length(1);
        become('well');
        date.tick(minute);
        expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 5 * minute });
        expect(asked.logged('info')).to.deep.equal([`${label} can be read again.`]);
        become('dropping');
        date.tick(10 * minute);
        await asked.ask();
        expect(asked.logged('warn')).to.have.length(2);
      });

      it('are asked for again when the short time is over, and not before', async () => {
        const { server, asked, write, become } = await start();
        await asked.ask();
        become('dropping');
        date.tick(10 * minute);
        await asked.ask();
        date.tick(29_000);
        expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 1000 });
        expect(server.requests).to.have.length(2);
        write({ SHOP_TOKEN: 'new' });
        become('well');
        date.tick(1000);
        expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'new' });
      });

      it('are asked for again at once when they were refused by their service', async () => {
        const { asked, write, become } = await start();
        await asked.ask();
        become('dropping');
        date.tick(minute);
        expect((await asked.ask(undefined, { isFresh: true })).values).to.deep.equal(given);
        write({ SHOP_TOKEN: 'new' });
        become('well');
        date.tick(1000);
        expect((await asked.ask(undefined, { isFresh: true })).values).to.deep.equal({ SHOP_TOKEN: 'new' });
      });

      for (const [ageMs, words] of [
        [1000, '1 second'],
        [119_000, '119 seconds'],
        [301_000, '5 minutes'],
        [7_260_000, '2 hours'],
        [90_000_000, '25 hours'],
      ] as const) {
        it(`are told to be of ${words} ago`, async () => {
          const { asked, become } = await start(given, { ttlMs: 1000 });
          await asked.ask();
          become('dropping');
          date.tick(ageMs);
          await asked.ask();
          expect(asked.logged('warn')[0]).to.match(new RegExp(`serving values of ${words} ago\\.$`));
        });
      }
    });

    it('do not serve when the store refuses, not in an outage that follows either', async () => {
      const { asked, become } = await start();
      await asked.ask();
      become('refusing');
      date.tick(10 * minute);
      expect((await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')).retryable).to.equal(false);
      become('dropping');
      date.tick(1000);
      expect((await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')).retryable).to.equal(true);
      expect(asked.records).to.deep.equal([]);
    });

    describe("with onError 'skip'", () => {
      it('and a failure is a warning, once until it changes or ends', async () => {
        const { asked, become } = await start(given, { onError: 'skip' });
        const ask = async (): Promise<unknown> => {
          date.tick(10 * minute);
          return (await asked.ask()).values;
        };
        become('refusing');
        expect([await ask(), await ask()]).to.deep.equal([{}, {}]);
        expect(asked.logged('warn')).to.have.length(1);
        expect(asked.logged('warn')[0]).to.match(/ The next resolver is asked\.$/);
        expect(asked.records[0]?.meta).to.deep.equal({ code: 'SECRET_STORE_UNAVAILABLE', retryable: false });
        become('dropping');
        expect(await ask()).to.deep.equal({});
        expect(asked.logged('warn')).to.have.length(2);
        expect(asked.logged('info')).to.deep.equal([]);
        become('well');
        expect(await ask()).to.deep.equal(given);
        expect(asked.logged('info')).to.deep.equal([`${label} can be read again.`]);
        become('refusing');
        expect(await ask()).to.deep.equal({});
        expect(asked.logged('warn')).to.have.length(3);
      });

      it('serve in an outage', async () => {
        const { asked, become } = await start(given, { onError: 'skip' });
        await asked.ask();
        become('dropping');
        date.tick(10 * minute);
        expect((await asked.ask()).values).to.deep.equal(given);
      });

      it('do not keep the reason from one who gives up', async () => {
        const { server, asked, become } = await start(given, { onError: 'skip' });
        become('holding');
        const giveUp = new AbortController();
        const ask = rejection(asked.ask(undefined, { signal: giveUp.signal }), 'SECRET_STORE_UNAVAILABLE');
        await server.received(1);
        giveUp.abort(new ToolkitError('SECRET_STORE_UNAVAILABLE', 'given up'));
        expect((await ask).message).to.equal('given up');
        expect(asked.records).to.deep.equal([]);
      });
    });
  });

  describe(`${name}: a store that does not answer in time`, () => {
    prepare();
    const clock = stoppedDate({ stopsTimers: true });

    for (const isKnown of [true, false]) {
      it(isKnown ? 'leaves the values of before in use' : 'is a failure that may be repeated where no values are known', async () => {
        const { server, asked, become } = await start(given, { timeoutMs: 1000 });
        if (isKnown) await asked.ask();
        clock.tick(7 * minute);
        become('holding');
        const answer = asked.ask();
        const settled = answer.catch((error: unknown) => error);
        await Promise.race([server.received(server.requests.length + 1), settled]);
        clock.tick(1000);
        if (isKnown) {
          expect(await answer).to.deep.equal({ values: given, ttlMs: { SHOP_TOKEN: 30_000 } });
          expect(asked.logged('warn')).to.have.length(1);
          expect(asked.logged('warn')[0])
            .to.match(late)
            .and.to.match(/\. Meanwhile serving values of 7 minutes ago\.$/);
        } else {
          const error = await rejection(answer, 'SECRET_STORE_UNAVAILABLE');
          expect(error.message).to.match(late);
          expect(error.details).to.include({ retryable: true, timeoutMs: 1000 });
        }
      });
    }
  });
}
