import { AsyncLocalStorage } from 'node:async_hooks';
import { type Call, type CallContext, excerpt, Redactor, revealSecret, ToolkitError } from '../../../../../kernel/index.ts';
import type { Cassette, CassetteExample, Exchange } from './cassette.ts';
import { fits } from './compare.ts';
import type { Scratch } from './scratch.ts';
import { withoutTokens } from './without-tokens.ts';

/** A request to the outside world in the form of a cassette. `written` converts the answer to a recorded response, `given` converts it back. */
export interface Asked<Answer> {
  readonly kind: Exchange['kind'];
  readonly request: unknown;
  readonly live: () => Promise<Answer>;
  readonly written: (answer: Answer) => Promise<{ readonly answer: Answer; readonly response: unknown }>;
  readonly given: (response: unknown) => Answer;
}

/** A request of a replay, with the recorded exchange that answered it. */
export interface Replayed {
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
  #left: Exchange[] = [];
  #replayed: Replayed[] = [];
  #credentials: Record<string, string> = {};
  /** Tokens found in exchanges, such as the response to a login. */
  #found = new Redactor();
  readonly #aside = new AsyncLocalStorage<boolean>();

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
    this.#left = [...(example.exchanges ?? [])];
    this.#replayed = [];
    this.#credentials = {};
    this.#found = new Redactor();
  }

  /** Exchanges of a live example, in the order in which they started. Failed ones are left out. */
  get recorded(): readonly Exchange[] {
    // Masked at the end: a token may be known only from a later response.
    return this.#recorded.filter((exchange) => exchange !== undefined).map((exchange) => this.#found.value(exchange));
  }

  get replayed(): readonly Replayed[] {
    return this.#replayed;
  }

  /** Recorded exchanges that were not requested. */
  get left(): readonly Exchange[] {
    return this.#left;
  }

  /** Credentials of a live example in the form of a cassette: secret ones are made up. */
  get credentials(): Readonly<Record<string, string>> {
    return this.#credentials;
  }

  /** Returns the value that replaces a secret in a replay. */
  secretOf(name: string): string {
    return this.#cassette.credentials?.[name] ?? madeUp(name);
  }

  /** The recorded output, when the cassette says `runs: false`. */
  get keptOutput(): { readonly output: unknown } | undefined {
    return !this.isLive && this.#cassette.runs === false ? { output: this.#example.output } : undefined;
  }

  /** Called when a call begins to run: that of the example, or of a tool that it calls. */
  runs(call: Call, context: CallContext): void {
    this.#contexts.push(context);
    const needs = new Map(call.tool.credentials.map((need) => [need.name, need]));
    for (const [name, value] of call.credentials)
      this.#credentials[name] = needs.get(name)?.isSecret === false ? revealSecret(value) : madeUp(name);
  }

  /** Converts a value to the form of a cassette: masks secrets, also newly found tokens, and replaces the path of the test folder. */
  written<T>(value: T): T {
    const masked = this.#contexts.reduce((rest, context) => context.mask(rest), value);
    const safe = withoutTokens(masked, (name, token) => {
      // Shorter values and plain words occur elsewhere with another meaning.
      if (token.length >= 8 && !/^[a-z]*$/i.test(token)) this.#found.maskAlso(name, token);
    });
    return this.scratch.written(this.#found.value(safe));
  }

  /** True when the text contains a token found in the exchanges. */
  holdsToken(text: string): boolean {
    return this.#found.value(text) !== text;
  }

  /** Runs `work`. Requests that it makes during a live example are not recorded. */
  aside<T>(work: () => T): T {
    return this.#aside.run(true, work);
  }

  async exchange<Answer>({ kind, request: asked, live, written, given }: Asked<Answer>): Promise<Answer> {
    if (this.isLive && this.#aside.getStore() === true) return live();
    const request = this.written(asked);
    if (!this.isLive) return given(this.#answerOf(kind, request).response);
    const place = this.#recorded.push(undefined) - 1;
    const { answer, response } = await written(await live());
    this.#recorded[place] = { kind, request, response: this.written(response) };
    return answer;
  }

  /** Returns the first unused exchange with the same request; else the first of its kind, so that the call goes on and the difference is shown. */
  #answerOf(kind: Exchange['kind'], request: unknown): Exchange {
    const same = this.#left.findIndex((exchange) => exchange.kind === kind && fits(exchange.request, request));
    const place = same >= 0 ? same : this.#left.findIndex((exchange) => exchange.kind === kind);
    const [exchange] = place < 0 ? [] : this.#left.splice(place, 1);
    this.#replayed.push({ request, ...(exchange === undefined ? {} : { exchange }) });
    if (exchange !== undefined) return exchange;
    throw new ToolkitError('EXECUTION_FAILED', `This was not recorded, and the test is offline: ${excerpt(JSON.stringify(request))}`);
  }
}

/** Returns a value that is unique for the name and long enough to be masked. */
export function madeUp(name: string): string {
  return `made-up-${name}`;
}
