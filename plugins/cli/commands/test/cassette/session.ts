import { AsyncLocalStorage } from 'node:async_hooks';
import { type Call, type CallContext, excerpt, Redactor, revealSecret, ToolkitError } from '../../../../../kernel/index.ts';
import type { Cassette, CassetteExample, Exchange } from './cassette.ts';
import { matches } from './compare.ts';
import { maskTokens } from './mask-tokens.ts';
import type { Scratch } from './scratch.ts';

/** A request to the outside world in the form of a cassette. `written` converts the answer to a recorded response, `given` converts it back. */
export interface OutboundRequest<Answer> {
  readonly kind: Exchange['kind'];
  readonly request: unknown;
  readonly send: () => Promise<Answer>;
  readonly toRecorded: (answer: Answer) => Promise<{ readonly answer: Answer; readonly response: unknown }>;
  readonly fromRecorded: (response: unknown) => Answer;
}

/** A request of a replay, with the recorded exchange that answered it. */
export interface ReplayedRequest {
  readonly request: unknown;
  /** Undefined when no recorded exchange was left to answer it. */
  readonly exchange?: Exchange;
}

/** State of the running example. One example runs at a time, so that all exchanges of the kernel belong to it. */
export class Session {
  readonly isLive: boolean;
  readonly scratch: Scratch;
  #example: Pick<CassetteExample, 'output' | 'exchanges'> = {};
  #cassette: Pick<Cassette, 'credentials' | 'runs'> = {};
  #contexts: CallContext[] = [];
  #recorded: (Exchange | undefined)[] = [];
  #unused: Exchange[] = [];
  #replayed: ReplayedRequest[] = [];
  #credentials: Record<string, string> = {};
  /** Tokens found in exchanges, such as the response to a login. */
  #tokens = new Redactor();
  readonly #notRecorded = new AsyncLocalStorage<boolean>();

  /** `isLive`: sends requests to the outside world and records them; otherwise answers from the cassette. */
  constructor(isLive: boolean, scratch: Scratch) {
    this.isLive = isLive;
    this.scratch = scratch;
  }

  /** Resets the session and begins an example. */
  begin(cassette: Pick<Cassette, 'credentials' | 'runs'>, example: Pick<CassetteExample, 'output' | 'exchanges'>): void {
    this.#cassette = cassette;
    this.#example = example;
    this.#contexts = [];
    this.#recorded = [];
    this.#unused = [...(example.exchanges ?? [])];
    this.#replayed = [];
    this.#credentials = {};
    this.#tokens = new Redactor();
  }

  /** Exchanges of a live example, in the order in which they started. Failed ones are left out. */
  get recorded(): readonly Exchange[] {
    // Masked at the end: a token may be known only from a later response.
    return this.#recorded.filter((exchange) => exchange !== undefined).map((exchange) => this.#tokens.value(exchange));
  }

  get replayed(): readonly ReplayedRequest[] {
    return this.#replayed;
  }

  /** Recorded exchanges that were not requested. */
  get unused(): readonly Exchange[] {
    return this.#unused;
  }

  /** Credentials of a live example in the form of a cassette: secret ones are made up. */
  get credentials(): Readonly<Record<string, string>> {
    return this.#credentials;
  }

  /** Returns the value that replaces a secret in a replay. */
  secretOf(name: string): string {
    return this.#cassette.credentials?.[name] ?? madeUpValue(name);
  }

  /** The recorded output, when the cassette says `runs: false`. */
  get recordedOutput(): { readonly output: unknown } | undefined {
    return !this.isLive && this.#cassette.runs === false ? { output: this.#example.output } : undefined;
  }

  /** Called when a call begins to run: that of the example, or of a tool that it calls. */
  trackCall(call: Call, context: CallContext): void {
    this.#contexts.push(context);
    const needs = new Map(call.tool.credentials.map((need) => [need.name, need]));
    for (const [name, value] of call.credentials)
      this.#credentials[name] = needs.get(name)?.isSecret === false ? revealSecret(value) : madeUpValue(name);
  }

  /** Converts a value to the form of a cassette: masks secrets, also newly found tokens, and replaces the path of the test folder. */
  toCassette<T>(value: T): T {
    const masked = this.#contexts.reduce((rest, context) => context.mask(rest), value);
    const safe = maskTokens(masked, (name, token) => {
      // Shorter values and plain words occur elsewhere with another meaning.
      if (token.length >= 8 && !/^[a-z]*$/i.test(token)) this.#tokens.maskAlso(name, token);
    });
    return this.scratch.toCassette(this.#tokens.value(safe));
  }

  /** True when the text contains a token found in the exchanges. */
  holdsToken(text: string): boolean {
    return this.#tokens.value(text) !== text;
  }

  /** Runs `work`. Requests that it makes during a live example are not recorded. */
  withoutRecording<T>(work: () => T): T {
    return this.#notRecorded.run(true, work);
  }

  async exchange<Answer>({ kind, request: rawRequest, send, toRecorded, fromRecorded }: OutboundRequest<Answer>): Promise<Answer> {
    if (this.isLive && this.#notRecorded.getStore() === true) return send();
    const request = this.toCassette(rawRequest);
    if (!this.isLive) return fromRecorded(this.#takeExchange(kind, request).response);
    const index = this.#recorded.push(undefined) - 1;
    const { answer, response } = await toRecorded(await send());
    this.#recorded[index] = { kind, request, response: this.toCassette(response) };
    return answer;
  }

  /** Returns the first unused exchange with the same request; else the first of its kind, so that the call goes on and the difference is shown. */
  #takeExchange(kind: Exchange['kind'], request: unknown): Exchange {
    const same = this.#unused.findIndex((exchange) => exchange.kind === kind && matches(exchange.request, request));
    const index = same >= 0 ? same : this.#unused.findIndex((exchange) => exchange.kind === kind);
    const [exchange] = index < 0 ? [] : this.#unused.splice(index, 1);
    this.#replayed.push({ request, ...(exchange === undefined ? {} : { exchange }) });
    if (exchange !== undefined) return exchange;
    throw new ToolkitError('EXECUTION_FAILED', `This was not recorded, and the test is offline: ${excerpt(JSON.stringify(request))}`);
  }
}

/** Returns a value that is unique for the name and long enough to be masked. */
export function madeUpValue(name: string): string {
  return `made-up-${name}`;
}
