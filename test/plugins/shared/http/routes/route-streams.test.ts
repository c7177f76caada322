import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { HttpRouteRequest } from '../../../../../kernel/index.ts';
import { gate } from '../../../mcp/support/client.ts';
import { dispatch, until } from '../../../mcp/support/wire.ts';
import { served } from './served-routes.ts';

const noToken = { authorization: undefined, accept: undefined, 'content-type': undefined };
const open = (port: number, path = '/live'): Promise<IncomingMessage> => dispatch(port, { method: 'GET', path, headers: noToken });

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

/** A stream to which a test pushes texts. */
function pushed() {
  const waiting: ((result: IteratorResult<string>) => void)[] = [];
  const texts: string[] = [];
  const returned = sinon.spy();
  const next = async (): Promise<IteratorResult<string>> => {
    const text = texts.shift();
    return text === undefined ? new Promise((resolve) => waiting.push(resolve)) : { done: false, value: text };
  };
  const end = async (): Promise<IteratorResult<string>> => {
    returned();
    return { done: true, value: undefined };
  };
  const push = (text: string): void => {
    const take = waiting.shift();
    if (take === undefined) texts.push(text);
    else take({ done: false, value: text });
  };
  return { stream: { [Symbol.asyncIterator]: () => ({ next, return: end }) }, push, returned };
}

/** A server whose `/live` gives a new stream to each request. */
async function streaming() {
  const streams: ReturnType<typeof pushed>[] = [];
  const requests: HttpRouteRequest[] = [];
  const handle = (request: HttpRouteRequest) => {
    const made = pushed();
    streams.push(made);
    requests.push(request);
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: made.stream };
  };
  const server = await served({ path: '/live', handle }, { path: '/page', handle: () => ({ status: 200, body: 'page' }) });
  return { ...server, streams, requests };
}

describe('an answer that is a stream', () => {
  it('begins before there is a text, and has each as it comes', async () => {
    const { port, streams } = await streaming();
    const response = await open(port);
    expect(response.statusCode).to.equal(200);
    expect(response.headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers['content-length']).to.equal(undefined);
    response.setEncoding('utf8');
    for (const text of ['one', 'zwei ü', 'three']) {
      const arrived = once(response, 'data');
      streams[0]?.push(text);
      expect(await arrived).to.deep.equal([text]);
    }
    response.destroy();
  });

  it('is complete once a generator has ended, which is not ended again', async () => {
    const ended = sinon.spy();
    const handle = () => ({ status: 200, body: generate() });
    async function* generate(): AsyncGenerator<string> {
      try {
        yield 'one';
        yield '';
        yield 'two';
      } finally {
        ended();
      }
    }
    const { port } = await served({ path: '/live', handle });
    expect(await textOf(await open(port))).to.equal('onetwo');
    expect(ended.callCount).to.equal(1);
  });

  it('ends with its client', async () => {
    const { port, streams, requests, logger } = await streaming();
    const response = await open(port);
    response.on('error', () => {}).destroy();
    await until(() => streams[0]?.returned.callCount || undefined);
    expect(requests[0]?.signal.aborted).to.equal(true);
    expect(logger.records).to.deep.equal([]);
  });

  it('ends complete when the server stops, which does not wait for it', async () => {
    const { port, streams, requests, closing, routeServer } = await streaming();
    const response = await open(port);
    await routeServer.answered();
    expect(requests[0]?.signal.aborted).to.equal(false);
    streams[0]?.push('last');
    await once(response, 'readable');
    closing.abort();
    expect(await textOf(response)).to.equal('last');
    expect(streams[0]?.returned.callCount || undefined).to.equal(1);
    expect(requests[0]?.signal.aborted).to.equal(true);
    expect((await open(port)).statusCode).to.equal(503);
  });

  it('ends when the server stops also where a generator waits for ever', async () => {
    const { port, closing } = await served({
      path: '/live',
      handle: () => ({
        status: 200,
        body: (async function* () {
          yield 'first';
          await new Promise(() => {});
        })(),
      }),
    });
    const response = await open(port);
    await once(response, 'readable');
    closing.abort();
    expect(await textOf(response)).to.equal('first');
  });

  it('is under no time limit once it has begun', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { port, streams, requests } = await streaming();
      const response = await open(port);
      clock.tick(24 * 60 * 60 * 1000);
      expect(requests[0]?.signal.aborted).to.equal(false);
      const arrived = once(response, 'data');
      streams[0]?.push('still here');
      expect(String(await arrived)).to.equal('still here');
      response.destroy();
    } finally {
      clock.restore();
    }
  });

  it('is released where it comes too late', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const [begun, late] = [gate(), gate()];
      const made = pushed();
      const { port } = await served({
        path: '/live',
        handle: async () => {
          begun.open();
          await late.opened;
          return { status: 200, body: made.stream };
        },
      });
      const answer = open(port);
      await begun.opened;
      clock.tick(30_000);
      expect((await answer).statusCode).to.equal(503);
      late.open();
      await until(() => made.returned.callCount || undefined);
    } finally {
      clock.restore();
    }
  });

  it('waits while its client takes nothing, and then goes on', async () => {
    const count = 600;
    const text = 'x'.repeat(64 * 1024);
    let made = 0;
    const { port } = await served({
      path: '/live',
      handle: () => ({
        status: 200,
        body: (async function* () {
          while (made < count) {
            made++;
            yield text;
          }
        })(),
      }),
    });
    const response = await open(port);
    await until(() => made || undefined);
    for (let n = 0; n < 10; n++) await setImmediate();
    expect(made).to.be.below(count);
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    expect(size).to.equal(count * text.length);
  });

  it('is broken off where its client takes nothing for a minute', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let isEnded = false;
      let isFull = false;
      const { port, logger } = await served({
        path: '/live',
        handle: () => ({
          status: 200,
          body: (async function* () {
            try {
              for (;;) {
                setImmediate().then(() => {
                  isFull = true;
                });
                isFull = false;
                yield 'x'.repeat(1024 * 1024);
              }
            } finally {
              isEnded = true;
            }
          })(),
        }),
      });
      const response = await open(port);
      response.on('error', () => {});
      // A turn of the event loop without a further text.
      await until(() => isFull || undefined);
      await until(() => {
        clock.tick(60_000);
        return isEnded || undefined;
      });
      response.destroy();
      expect(logger.records).to.deep.equal([]);
    } finally {
      clock.restore();
    }
  });

  it('is one of fifty at most, beside other pages', async () => {
    const { port, streams } = await streaming();
    const responses = await Promise.all(Array.from({ length: 50 }, () => open(port)));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).to.deep.equal(new Set([200]));
    const refused = await open(port);
    expect([refused.statusCode, refused.headers['retry-after']]).to.deep.equal([503, '10']);
    await until(() => streams[50]?.returned.callCount || undefined);
    expect(await textOf(await open(port, '/page'))).to.equal('page');
    responses[0]?.on('error', () => {}).destroy();
    await until(() => streams[0]?.returned.callCount || undefined);
    expect((await open(port)).statusCode).to.equal(200);
    for (const response of responses) response.on('error', () => {}).destroy();
  });

  const broken: readonly (readonly [what: string, texts: () => AsyncGenerator<string>])[] = [
    [
      'throws',
      async function* () {
        yield 'first';
        throw new Error('no more');
      },
    ],
    [
      'has something else than a text',
      async function* () {
        yield 'first';
        yield 5 as unknown as string;
      },
    ],
  ];
  for (const [what, texts] of broken)
    it(`breaks the connection, and is logged, where it ${what}`, async () => {
      const { port, logger } = await served({ path: '/live', handle: () => ({ status: 200, body: texts() }) });
      const response = await open(port);
      const error = await textOf(response).then(
        () => undefined,
        (reason: NodeJS.ErrnoException) => reason.code,
      );
      expect(error).to.equal('ECONNRESET');
      expect(logger.records.map(({ level, message }) => [level, message])).to.deep.equal([['error', 'the page "/live" failed']]);
    });

  it('is answered with a plain 500, and released, where its head is none of HTTP', async () => {
    const made = pushed();
    const { port, logger } = await served({ path: '/live', handle: () => ({ status: 42, body: made.stream }) });
    const response = await open(port);
    expect([response.statusCode, await textOf(response)]).to.deep.equal([500, 'The server failed.\n']);
    await until(() => made.returned.callCount || undefined);
    expect(logger.records).to.have.length(1);
  });
});
