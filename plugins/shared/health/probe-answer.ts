import type { ServerResponse } from 'node:http';
import type { Readiness } from './readiness.ts';

/** Answers `/live` or `/ready`. The response holds public facts only. */
export async function answerProbe(response: ServerResponse, path: '/live' | '/ready', readiness: Readiness): Promise<void> {
  const reason = path === '/live' ? undefined : await readiness.unreadyReason();
  sendStatus(response, { status: reason ?? 'ok' }, reason !== undefined);
}

export function sendStatus(response: ServerResponse, body: object, isUnavailable: boolean): void {
  response
    .writeHead(isUnavailable ? 503 : 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
