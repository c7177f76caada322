import { expect } from 'chai';
import sinon from 'sinon';
import { type ApprovalEvent, type ApprovalInbox, apiVersion, definePlugin, type Kernel, type PluginApi } from '../../../../kernel/index.ts';
import { eventsRoute } from '../../../../plugins/console/feed/events-route.ts';
import { heartbeatMs } from '../../../../plugins/console/feed/events-stream.ts';
import { type ConsoleFeed, type FeedEvent, openFeed } from '../../../../plugins/console/feed/feed.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

const comment = ':\n\n';
const eventOf = (name: string): string => `event: ${name}\ndata:\n\n`;

/** A kernel with a feed, and perhaps an inbox whose changes and events the test reports. Its watch begins with `begin`. */
async function world(inbox: 'watched' | 'unwatched' | 'none' = 'none') {
  const logger = memoryLogger();
  const ended = sinon.spy();
  let feed: ConsoleFeed | undefined;
  const open = (api: PluginApi): void => {
    feed = openFeed(api);
  };
  let report: (event: ApprovalEvent) => void = () => {};
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let change: () => void = () => {};
  const watch = sinon.spy(async (onChange: () => void): Promise<() => Promise<void>> => {
    change = onChange;
    await begun;
    return async () => ended();
  });
  const kernel = await bareKernel({
    logger,
    plugins: [
      definePlugin({ name: 'feed', apiVersion, apply: open })(),
      inbox !== 'none' &&
        definePlugin({
          name: 'keeper',
          apiVersion,
          apply: ({ extend }) =>
            extend.approvalInbox((host) => {
              report = host.report;
              return (inbox === 'watched' ? { watch } : {}) as unknown as ApprovalInbox;
            }),
        })(),
    ],
  });
  return {
    kernel,
    logger,
    ended,
    feed: feed as ConsoleFeed,
    change: () => change(),
    report: () => report({ event: 'asked', id: 'a-1' }),
    watch,
    begin,
  };
}

/** A client of a feed, which has read the comment of the beginning. */
async function connect(feed: ConsoleFeed, isOpen: () => Promise<boolean> = async () => true) {
  const client = new AbortController();
  const { body } = eventsRoute({ signal: client.signal, isOpen }, feed);
  const texts = body[Symbol.asyncIterator]();
  const first = await texts.next();
  expect(first).to.deep.equal({ done: false, value: comment });
  const next = async (): Promise<string | undefined> => {
    const { value, done } = await texts.next();
    return done === true ? undefined : value;
  };
  return { next, texts, leave: () => client.abort() };
}

describe('the feed of the console', () => {
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });

  afterEach(() => clock.restore());

  it('is a stream that no proxy stores or holds back', async () => {
    const { feed } = await world('none');
    const { status, headers } = eventsRoute({ signal: new AbortController().signal, isOpen: async () => true }, feed);
    expect({ status, headers }).to.deep.equal({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  });

  const causes: Readonly<Record<string, readonly [(given: Awaited<ReturnType<typeof world>>) => unknown, readonly FeedEvent[]]>> = {
    'an event of a record of this process': [({ report }) => report(), ['approvals']],
    'a reload': [({ kernel }: { kernel: Kernel }) => kernel.reload(), ['tools', 'sources']],
    'calls, as their keeper says': [({ feed }) => feed.changed('calls'), ['calls']],
  };
  for (const [cause, [act, names]] of Object.entries(causes))
    it(`tells all clients of ${cause}`, async () => {
      const given = await world('unwatched');
      const clients = [await connect(given.feed), await connect(given.feed)];
      await act(given);
      for (const { next } of clients) for (const name of names) expect(await next()).to.equal(eventOf(name));
    });

  it('tells all clients of records that any process changed, also of those that changed before the watch began', async () => {
    const { feed, begin, change } = await world('watched');
    const clients = [await connect(feed), await connect(feed)];
    begin();
    for (const { next } of clients) expect(await next()).to.equal(eventOf('approvals'));
    clock.tick(100);
    change();
    for (const { next } of clients) expect(await next()).to.equal(eventOf('approvals'));
  });

  it('tells a client that reads slowly each event once, however often it happened', async () => {
    const { feed } = await world();
    const { next } = await connect(feed);
    for (let count = 0; count < 1000; count++) {
      feed.changed('calls');
      feed.changed('approvals');
      clock.tick(1000);
    }
    await new Promise(setImmediate);
    const texts = [await next(), await next(), await next()];
    // With the comment of all heartbeats meanwhile.
    expect(texts.sort()).to.deep.equal([comment, eventOf('approvals'), eventOf('calls')].sort());
    feed.changed('tools');
    expect(await next()).to.equal(eventOf('tools'));
  });

  for (const [event, perSecond] of [
    ['calls', 4],
    ['approvals', 10],
  ] as const)
    it(`has ${event} at most ${perSecond} times a second, the first at once and the last not lost`, async () => {
      const { feed } = await world();
      const { next } = await connect(feed);
      const told: number[] = [];
      const reading = (async () => {
        while ((await next()) !== undefined) told.push(clock.now);
      })();
      for (let ms = 0; ms < 999; ms++) {
        feed.changed(event);
        await clock.tickAsync(1);
      }
      expect(told).to.have.length(perSecond);
      expect(told[0]).to.equal(0);
      await clock.tickAsync(1000);
      expect(told).to.have.length(perSecond + 1);
      await feed.close();
      await reading;
    });

  it('has a comment line every 15 seconds, while the session is open', async () => {
    const isOpen = sinon.stub().resolves(true);
    const { feed } = await world();
    const { next } = await connect(feed, isOpen);
    for (const count of [1, 2, 3]) {
      const text = next();
      await clock.tickAsync(heartbeatMs);
      expect(await text).to.equal(comment);
      expect(isOpen.callCount).to.equal(count);
    }
    expect(heartbeatMs).to.equal(15_000);
  });

  it('ends with "session" when the session has ended, also for a client that is told something all the time', async () => {
    const { feed } = await world();
    const { next } = await connect(feed, async () => false);
    feed.changed('tools');
    await clock.tickAsync(heartbeatMs);
    feed.changed('tools');
    expect(await next()).to.equal(eventOf('session'));
    expect(await next()).to.equal(undefined);
    expect(feed.size).to.equal(0);
  });

  it('ends without "session" when nobody can say whether it is open, so that the page connects again', async () => {
    const { feed } = await world();
    const { next } = await connect(feed, async () => {
      throw new Error('the store is away');
    });
    const text = next();
    await clock.tickAsync(heartbeatMs);
    expect(await text).to.equal(undefined);
    expect(feed.size).to.equal(0);
  });

  it('goes on telling while it waits for an answer about the session, and asks once at a time', async () => {
    const isOpen = sinon.stub().returns(new Promise<boolean>(() => {}));
    const { feed } = await world();
    const { next } = await connect(feed, isOpen);
    await clock.tickAsync(3 * heartbeatMs);
    feed.changed('tools');
    expect(await next()).to.equal(eventOf('tools'));
    expect(isOpen.callCount).to.equal(1);
  });

  const ends: Readonly<Record<string, (given: { kernel: Kernel; leave: () => void; texts: AsyncIterator<string> }) => unknown>> = {
    'the client is gone': ({ leave }) => leave(),
    'the server takes no more texts': ({ texts }) => texts.return?.(),
    'the kernel closes': ({ kernel }) => kernel.close(),
  };
  for (const [cause, act] of Object.entries(ends))
    it(`ends when ${cause}, also while it waits`, async () => {
      const { kernel, feed } = await world();
      const { next, texts, leave } = await connect(feed);
      const text = next();
      expect(feed.size).to.equal(1);
      await act({ kernel, leave, texts });
      expect(await text).to.equal(undefined);
      expect(feed.size).to.equal(0);
      expect(clock.countTimers()).to.equal(0);
    });

  it('holds no client that was gone before its stream began', async () => {
    const { feed } = await world();
    const { body } = eventsRoute({ signal: AbortSignal.abort(), isOpen: async () => true }, feed);
    expect(await body[Symbol.asyncIterator]().next()).to.deep.equal({ done: true, value: undefined });
    expect(feed.size).to.equal(0);
  });

  it('watches records from the first client on, once for all, until the kernel closes', async () => {
    const { kernel, feed, watch, begin, ended } = await world('watched');
    sinon.assert.notCalled(watch);
    const { next } = await connect(feed);
    await connect(feed);
    begin();
    expect(await next()).to.equal(eventOf('approvals'));
    sinon.assert.calledOnce(watch);
    sinon.assert.notCalled(ended);
    await kernel.close();
    sinon.assert.calledOnce(ended);
  });

  it('says once in the log that it does not see other processes, where the keeper of records reports no changes', async () => {
    const { feed, logger, report } = await world('unwatched');
    const clients = [await connect(feed), await connect(feed)];
    await new Promise(setImmediate);
    expect(logger.records.map(({ message }) => message).filter((text) => text.includes('at once'))).to.have.length(1);
    report();
    for (const { next } of clients) expect(await next()).to.equal(eventOf('approvals'));
  });
});
