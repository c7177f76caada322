import Negotiator from 'negotiator';
import { requestHeader, type WithHeaders } from './request-headers.ts';

/** Maximum number of cached Accept headers: clients send the same header with each request. */
const maxCachedHeaders = 100;

/** Media types of responses. Responses are UTF-8, so a client that accepts UTF-8 accepts them. */
const types = ['application/json', 'text/event-stream'] as const;
const acceptedTypes = types.flatMap((type) => [type, `${type};charset=utf-8`]);

export type AnswerType = (typeof types)[number];

/** Reads Accept headers (RFC 9110, 12.5): wildcards count, `q=0` refuses, and a missing header accepts everything. */
export class Accepted {
  /** Media types by header. */
  readonly #known = new Map<string | undefined, readonly AnswerType[]>();

  /** Returns the media types that the client accepts. */
  types(request: WithHeaders): readonly AnswerType[] {
    const accept = requestHeader(request, 'accept');
    const known = this.#known.get(accept);
    if (known !== undefined) return known;
    const accepted = new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaTypes(acceptedTypes);
    const found = types.filter((type) => accepted.some((one) => one.startsWith(type)));
    if (this.#known.size >= maxCachedHeaders) this.#known.clear();
    this.#known.set(accept, found);
    return found;
  }
}
