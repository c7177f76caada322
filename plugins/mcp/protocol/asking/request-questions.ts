import type { ClientAnswer, Question } from '../clients/exchange.ts';
import type { InputRequired, InputRounds, QuestionedRequest } from './input-rounds.ts';
import type { RequestStates } from './request-states.ts';

/** Questions of one request. Costs nothing for the many requests without questions. */
export class RequestQuestions {
  readonly #states: RequestStates;
  readonly #request: QuestionedRequest;
  #checking: Promise<InputRounds> | undefined;
  #rounds: InputRounds | undefined;

  constructor(states: RequestStates, request: QuestionedRequest) {
    this.#states = states;
    this.#request = request;
  }

  /** Checks the answers in the request. Undefined when it has none. Rejects with -32602 when they belong to another request. */
  begin(): Promise<unknown> | undefined {
    const { inputResponses, requestState } = this.#request.params;
    return inputResponses === undefined && requestState === undefined ? undefined : this.#open();
  }

  /** Returns the client's answer. Rejects when the client must be asked first. */
  async ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    const rounds = await this.#open();
    return rounds.ask(question, signal);
  }

  /** Response that holds the open questions; undefined when there are none. */
  get required(): InputRequired | undefined {
    return this.#rounds?.required;
  }

  /** Id of the approval record that the checked answers are for. Undefined without any. */
  get answersRecord(): string | undefined {
    return this.#rounds?.answersRecord;
  }

  #open(): Promise<InputRounds> {
    this.#checking ??= import('./input-rounds.ts').then(({ InputRounds: Rounds }) => {
      this.#rounds = new Rounds(this.#states, this.#request);
      return this.#rounds;
    });
    return this.#checking;
  }
}
