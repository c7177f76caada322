import type { ServerResponse } from 'node:http';
import { describeValue, type HttpRouteResponse } from '../../../../kernel/index.ts';

/** Time in which a client must take what was sent, in milliseconds. A client that does not read holds one of few streams. */
const drainTimeoutMs = 60_000;

/** Returns true for a body that is sent as it comes. */
export function isStream(body: HttpRouteResponse['body']): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && typeof body[Symbol.asyncIterator] === 'function';
}

/**
 * Sends the texts of a stream as they come, each once the client has room for it. Resolves at the end of the stream, and as soon as `signal` aborts;
 * the iterator's `return` is called then, and not waited for. Breaks the connection of a client that reads nothing for a minute. Rejects with the
 * failure of the stream.
 */
export async function sendTexts(response: ServerResponse, texts: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const iterator = texts[Symbol.asyncIterator]();
  let isDone = false;
  const pump = async (): Promise<void> => {
    while (!signal.aborted) {
      const next = await iterator.next();
      isDone = next.done === true;
      if (isDone || signal.aborted) return;
      if (typeof next.value !== 'string') throw new TypeError(`Expected a stream of texts, received ${describeValue(next.value)} in it.`);
      if (!response.write(next.value)) await drained(response);
    }
  };
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      pump().then(resolve, reject);
    });
  } finally {
    if (!isDone) release(iterator);
  }
}

/** Ends a stream that is not sent. */
export function discardStream(texts: AsyncIterable<string>): void {
  release(texts[Symbol.asyncIterator]());
}

/** Does not wait: a generator that waits for its next text ends only after it. */
function release(iterator: AsyncIterator<string>): void {
  Promise.resolve()
    .then(() => iterator.return?.())
    .catch(() => {});
}

/** Resolves when the client has taken what was sent, and when it is gone. Breaks the connection of a client that takes too long. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), drainTimeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
    if (response.closed) done();
  });
}
