import { json, loopback, type SeenRequest } from '../../support/loopback.ts';

/** The service that the tools of the shop ask. */
export interface ShopService {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves when the next request for `/watch` is here. It is never answered; `left` resolves when it was given up. */
  watched(): Promise<{ readonly left: Promise<void> }>;
  /** Answers the request for a report, or the next one. */
  report(): void;
}

export async function shopService(): Promise<ShopService> {
  const watching = queue<{ readonly left: Promise<void> }>();
  const reports = queue<void>();
  const { url, requests } = await loopback(({ url: target, headers, body }, response) => {
    if (target === '/watch') watching.put({ left: new Promise((resolve) => response.once('close', resolve)) });
    else if (target === '/report') void reports.take().then(() => json(response, { rows: 1 }));
    else if (target === '/fail') json(response, { message: 'No such shop.' }, 409);
    else if (target.startsWith('/secret')) json(response, { target, body, authorization: headers.authorization });
    else json(response, { order: target.split('/')[2] });
  });
  return { url, requests, watched: watching.take, report: () => reports.put() };
}

/** Values for which somebody waits, or who are waited for, in their order. */
function queue<T>(): { put(value: T): void; take(): Promise<T> } {
  const values: T[] = [];
  const takers: ((value: T) => void)[] = [];
  return {
    put: (value) => {
      const taker = takers.shift();
      if (taker === undefined) values.push(value);
      else taker(value);
    },
    take: () => (values.length > 0 ? Promise.resolve(values.shift() as T) : new Promise((resolve) => takers.push(resolve))),
  };
}
