import { AsyncLocalStorage } from 'node:async_hooks';
import { type Call, type CallContext, excerpt, Redactor, revealSecret, ToolkitError } from '../../../../../kernel/index.ts';
import type { Cassette, CassetteExample, Exchange } from './cassette.ts';
import { fits } from './compare.ts';
import type { Scratch } from './scratch.ts';
import { withoutTokens } from './without-tokens.ts';

/** What is asked of the world outside, in the form that a cassette has. `answer` brings an answer into that form, `given` back. */
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
  /** Undefined: nothing was left that could have answered it. */
  readonly exchange?: Exchange;
}

/** What runs now. One example runs at a time, so the session of a kernel knows whose exchanges it sees. */
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
  /** Tokens that stood in exchanges, such as the answer of a login. */
  #found = new Redactor();
  readonly #aside = new AsyncLocalStorage<boolean>();

  /** `isLive`: asks the world outside and keeps what it answers; else answers from the cassette. */
  constructor(isLive: boolean, scratch: Scratch) {
    this.isLive = isLive;
    this.scratch = scratch;
  }

  /** Forgets what was, and begins an example. */
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

  /** The exchanges of a live example, in the order in which they were begun. Those that failed are left out. */
  get recorded(): readonly Exchange[] {
    // A token may be known from a later answer only.
    return this.#recorded.filter((exchange) => exchange !== undefined).map((exchange) => this.#found.value(exchange));
  }

  get replayed(): readonly Replayed[] {
    return this.#replayed;
  }

  /** What the cassette has and nobody asked for. */
  get left(): readonly Exchange[] {
    return this.#left;
  }

  /** The credentials of a live example as a cassette has them: secret ones made up. */
  get credentials(): Readonly<Record<string, string>> {
    return this.#credentials;
  }

  /** In a replay, what stands for a secret. */
  secretOf(name: string): string {
    return this.#cassette.credentials?.[name] ?? madeUp(name);
  }

  /** The recorded output, where the tool itself is not to run. */
  get keptOutput(): { readonly output: unknown } | undefined {
    return !this.isLive && this.#cassette.runs === false ? { output: this.#example.output } : undefined;
  }

  /** A call begins to run, of the example itself or of a tool that it calls. */
  runs(call: Call, context: CallContext): void {
    this.#contexts.push(context);
    const needs = new Map(call.tool.credentials.map((need) => [need.name, need]));
    for (const [name, value] of call.credentials)
      this.#credentials[name] = needs.get(name)?.isSecret === false ? revealSecret(value) : madeUp(name);
  }

  /** As a cassette may say it: secrets masked, also those that nobody knew before, and the folder of the test by a word. */
  written<T>(value: T): T {
    const masked = this.#contexts.reduce((rest, context) => context.mask(rest), value);
    const safe = withoutTokens(masked, (name, token) => {
      // Shorter ones, and words, stand elsewhere and mean something else.
      if (token.length >= 8 && !/^[a-z]*$/i.test(token)) this.#found.maskAlso(name, token);
    });
    return this.scratch.written(this.#found.value(safe));
  }

  /** True for a text that holds what was found to be a token in what was asked or answered. */
  holdsToken(text: string): boolean {
    return this.#found.value(text) !== text;
  }

  /** What is asked meanwhile, of a live example, is not part of it. */
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

  /** The first one left that was asked for the same; else the first of its kind, so that the call goes on and the difference is shown. */
  #answerOf(kind: Exchange['kind'], request: unknown): Exchange {
    const same = this.#left.findIndex((exchange) => exchange.kind === kind && fits(exchange.request, request));
    const place = same >= 0 ? same : this.#left.findIndex((exchange) => exchange.kind === kind);
    const [exchange] = place < 0 ? [] : this.#left.splice(place, 1);
    this.#replayed.push({ request, ...(exchange === undefined ? {} : { exchange }) });
    if (exchange !== undefined) return exchange;
    throw new ToolkitError('EXECUTION_FAILED', `This was not recorded, and the test is offline: ${excerpt(JSON.stringify(request))}`);
  }
}

/** Long enough to be masked, and another one for each name. */
export function madeUp(name: string): string {
  return `made-up-${name}`;
}
