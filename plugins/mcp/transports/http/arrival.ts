import type { IncomingMessage } from 'node:http';
import type { Arrival } from '../../protocol/clients/arrival.ts';
import { grantOf } from './authorization/grant.ts';
import { requestHeader } from './request-headers.ts';

/** Returns what a request tells beside its message. Its place in a trace is read on first use. */
export function arrivalOf(request: IncomingMessage, session?: string): Arrival {
  return {
    scopes: grantOf(request)?.scopes,
    network: 'tcp',
    ...(session === undefined ? {} : { session }),
    get trace() {
      const traceparent = requestHeader(request, 'traceparent');
      const tracestate = requestHeader(request, 'tracestate');
      return traceparent === undefined ? undefined : { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
    },
  };
}
