import Negotiator from 'negotiator';
import { requestHeader, type WithHeaders } from './request-headers.ts';

/** Headers that are kept with what they say: clients send the same one with each request. */
const maxKept = 100;

/** Media types of answers. What is sent is UTF-8, so a client that names that accepts it. */
const types = ['application/json', 'text/event-stream'] as const;
const offered = types.flatMap((type) => [type, `${type};charset=utf-8`]);

export type AnswerType = (typeof types)[number];

/** Finds out what clients accept (RFC 9110, 12.5): wildcards count, `q=0` refuses, and an absent Accept stands for everything. */
export class Accepted {
  /** By the header as it came. */
  readonly #known = new Map<string | undefined, readonly AnswerType[]>();

  /** The media types of answers that the client takes. */
  types(request: WithHeaders): readonly AnswerType[] {
    const accept = requestHeader(request, 'accept');
    const known = this.#known.get(accept);
    if (known !== undefined) return known;
    const accepted = new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaTypes(offered);
    const found = types.filter((type) => accepted.some((one) => one.startsWith(type)));
    if (this.#known.size >= maxKept) this.#known.clear();
    this.#known.set(accept, found);
    return found;
  }
}
