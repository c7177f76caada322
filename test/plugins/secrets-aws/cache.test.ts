import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { awsEnvironment, shop } from './asking.ts';

describe('the memory of secrets from AWS', () => {
  awsEnvironment();
  const clock = stoppedDate();

  it('answers for five minutes, with the time that is left', async () => {
    const { server, asked } = await shop({ A_TOKEN: 'a', B_TOKEN: 'b' });
    expect((await asked.ask(['A_TOKEN'])).ttlMs).to.deep.equal({ A_TOKEN: 300_000 });
    clock.tick(200_000);
    expect((await asked.ask(['B_TOKEN'])).ttlMs).to.deep.equal({ B_TOKEN: 100_000 });
    expect(server.requests).to.have.length(1);
    clock.tick(100_000);
    server.secrets = { 'toolkit/credentials': { A_TOKEN: 'new' } };
    expect(await asked.ask(['A_TOKEN'])).to.deep.equal({ values: { A_TOKEN: 'new' }, ttlMs: { A_TOKEN: 300_000 } });
    expect(server.requests).to.have.length(2);
  });

  it('keeps to the option ttlMs', async () => {
    const { server, asked } = await shop(undefined, { ttlMs: 60_000 });
    expect((await asked.ask()).ttlMs).to.deep.equal({ SHOP_TOKEN: 60_000 });
    clock.tick(60_000);
    await asked.ask();
    expect(server.requests).to.have.length(2);
  });

  it('knows what is not there', async () => {
    const { server, asked } = await shop();
    for (let time = 0; time < 3; time += 1) {
      await asked.ask(['OTHER_TOKEN']);
      clock.tick(10_000);
    }
    expect(server.requests).to.have.length(1);
  });

  it('is passed over when values were refused, at most once a second', async () => {
    const { server, asked } = await shop();
    await asked.ask();
    await asked.ask(undefined, { isFresh: true });
    expect(server.requests).to.have.length(1);
    clock.tick(1000);
    server.secrets = { 'toolkit/credentials': { SHOP_TOKEN: 'rotated' } };
    expect((await asked.ask(undefined, { isFresh: true })).values).to.deep.equal({ SHOP_TOKEN: 'rotated' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'rotated' });
    expect(server.requests).to.have.length(2);
  });

  it('does not trust a clock that was set back', async () => {
    const { server, asked } = await shop();
    await asked.ask();
    clock.setBack(3_600_000);
    await asked.ask();
    expect(server.requests).to.have.length(2);
  });

  it('asks once for everybody who asks at the same time', async () => {
    const { server, asked } = await shop({ A_TOKEN: 'a', B_TOKEN: 'b' });
    server.fault = { kind: 'hold' };
    const both = Promise.all([asked.ask(['A_TOKEN']), asked.ask(['B_TOKEN'])]);
    await server.received(1);
    server.release();
    expect((await both).map(({ values }) => values)).to.deep.equal([{ A_TOKEN: 'a' }, { B_TOKEN: 'b' }]);
    expect(server.requests).to.have.length(1);
  });

  it('still serves the others when one of them leaves', async () => {
    const { server, asked } = await shop();
    server.fault = { kind: 'hold' };
    const leaving = new AbortController();
    const left = asked.ask(undefined, { signal: leaving.signal }).catch((error: unknown) => error);
    const stayed = asked.ask();
    await server.received(1);
    leaving.abort('enough');
    expect(await left).to.equal('enough');
    server.release();
    expect((await stayed).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
  });

  it('starts anew after all have left', async () => {
    const { server, asked } = await shop();
    server.fault = { kind: 'hold' };
    const leaving = new AbortController();
    const left = asked.ask(undefined, { signal: leaving.signal }).catch((error: unknown) => error);
    await server.received(1);
    leaving.abort('enough');
    expect(await left).to.equal('enough');
    server.fault = undefined;
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
    expect(server.requests).to.have.length(2);
  });

  it('asks nobody for a caller who has left already', async () => {
    const { server, asked } = await shop();
    expect(await asked.ask(undefined, { signal: AbortSignal.abort('gone') }).catch((error: unknown) => error)).to.equal('gone');
    expect(server.requests).to.have.length(0);
  });

  it('ends a read when the kernel closes', async () => {
    const { server, asked } = await shop();
    server.fault = { kind: 'hold' };
    const asking = rejection(asked.ask(), 'ABORTED');
    await server.received(1);
    await asked.kernel.close();
    expect((await asking).message).to.equal('The AWS secret "toolkit/credentials" is not read to the end: the kernel is closing.');
  });
});
