import type { Question } from '../exchange.ts';
import type { ClientAnswer } from './client-answer.ts';
import type { AskingRequest, InputRequired, InputRounds } from './input-rounds.ts';
import type { RequestStates } from './request-states.ts';

/** Requests that may be answered with questions (MCP 2026-07-28, Multi Round-Trip Requests). */
const askingMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The questions of one request: most have none, and cost nothing. */
export class Asking {
  readonly #states: RequestStates;
  readonly #request: AskingRequest;
  #opening: Promise<InputRounds> | undefined;
  #rounds: InputRounds | undefined;

  constructor(states: RequestStates, request: AskingRequest) {
    this.#states = states;
    this.#request = request;
  }

  /** A promise where the request brings answers, which are looked at first. It rejects with -32602 where they are not for this request. */
  begin(): Promise<unknown> | undefined {
    const { method, params } = this.#request;
    const { inputResponses, requestState } = params;
    if (!askingMethods.has(method)) return undefined;
    return inputResponses === undefined && requestState === undefined ? undefined : this.#open();
  }

  /** The answer of the client. Rejects where it has to be asked first. */
  async ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    const rounds = await this.#open();
    return rounds.ask(question, signal);
  }

  /** What the request is answered with while questions wait; undefined where none does. */
  get required(): InputRequired | undefined {
    return this.#rounds?.required;
  }

  #open(): Promise<InputRounds> {
    this.#opening ??= import('./input-rounds.ts').then(({ InputRounds: Rounds }) => {
      this.#rounds = new Rounds(this.#states, this.#request);
      return this.#rounds;
    });
    return this.#opening;
  }
}
