import type { FeedClient } from './events-stream.ts';
import type { ConsoleFeed } from './feed.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies such as nginx hold back a stream otherwise.
  'x-accel-buffering': 'no',
} as const;

/** An `HttpRouteResponse` whose body is a stream. */
export interface EventsResponse {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<string>;
}

/** Returns the answer of `GET /console/api/events` for a request whose session was checked. */
export function eventsRoute(client: FeedClient, feed: ConsoleFeed): EventsResponse {
  return { status: 200, headers, body: feed.subscribe(client) };
}
