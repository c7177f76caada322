import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describeValue, isPlainObject, ToolkitError } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { ClientAnswer, Question } from '../clients/exchange.ts';
import { isAnswerTo } from './client-answer.ts';
import { type InputRequests, inputRequests } from './input-requests.ts';
import type { RequestState, RequestStates, VerifiedState } from './request-states.ts';

type Params = Readonly<Record<string, unknown>>;

/** The request that asks its client. */
export interface QuestionedRequest {
  readonly caller: string;
  readonly method: string;
  readonly params: Params;
}

/** Response to a request that needs input. The client sends the request again, with answers (MCP 2026-07-28, Multi Round-Trip Requests). */
export interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests: InputRequests;
  readonly requestState: string;
}

interface DigestedQuestion {
  readonly question: Question;
  readonly digest: string;
}

/**
 * Questions of one request, which the client repeats for each round of answers. An answered question resolves at once; an open one
 * ends the request. An answer that grants something counts only with an unused state of this server.
 */
export class InputRounds {
  readonly #states: RequestStates;
  readonly #subject: string;
  readonly #responses: Readonly<Record<string, ClientAnswer>>;
  readonly #state: VerifiedState | undefined;
  readonly #waiting = new Map<string, DigestedQuestion>();
  readonly #answered: Record<string, { question: string; answer: ClientAnswer }> = {};
  readonly #things: Record<string, Readonly<Record<string, string>>> = {};
  readonly #again = new Set<string>();
  /** All questions of a call about approval are about one record. */
  #record: string | undefined;
  #count = 0;
  #isStateConsumed: boolean | Promise<boolean> | undefined;

  /** Throws -32602 for malformed answers, and for a state that is malformed or of another request. */
  constructor(states: RequestStates, { caller, method, params }: QuestionedRequest) {
    const { inputResponses, requestState, _meta, ...asked } = params;
    this.#states = states;
    this.#subject = subjectOf([caller, method, asked]);
    this.#responses = checkedResponses(inputResponses);
    if (requestState !== undefined && typeof requestState !== 'string')
      throw new RpcError(
        errorCodes.invalidParams,
        `"requestState" of the request is wrong: expected a text, received ${describeValue(requestState)}.`,
      );
    this.#state = requestState === undefined ? undefined : states.verify(requestState, this.#subject);
  }

  /** Returns the client's answer. Rejects when the client must be asked first. */
  async ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    signal.throwIfAborted();
    this.#count++;
    const name = question.name ?? `question_${this.#count}`;
    const { method, params, holdsFor } = question;
    // The digest covers everything that the question shows, in any order. Metadata may differ when the call runs again.
    const { _meta, ...shown } = params;
    const digested: DigestedQuestion = { question, digest: digest([method, holdsFor ?? shown]) };
    if (question.things !== undefined) this.#things[name] = question.things;
    this.#record = question.record ?? this.#record;
    const answer = await this.#answerTo(name, digested);
    if (answer === undefined) this.#refuseChanged(name, digested);
    if (answer !== undefined) {
      this.#answered[name] = { question: digested.digest, answer };
      return answer;
    }
    this.#waiting.set(name, digested);
    // Wait for the check of the current state: it decides which answers the next state holds.
    if (this.#isStateConsumed instanceof Promise) await this.#isStateConsumed.catch(() => {});
    // Collect the other questions that the code asks at the same time.
    await new Promise((resolve) => setImmediate(resolve));
    // A question that was decided in another way must not take the place of the call's result.
    if (signal.aborted) this.#waiting.delete(name);
    signal.throwIfAborted();
    throw new ToolkitError('ABORTED', 'The client is asked: it answers with another request.', { isAsked: true });
  }

  /** Id of the approval record that the answers in this request are for. Undefined when they are for none. */
  get answersRecord(): string | undefined {
    const { record, asked, answered } = this.#state ?? {};
    const isAnswered = Object.keys({ ...asked, ...answered }).some(
      (name) => ownMember(this.#responses, name) !== undefined || ownMember(answered, name) !== undefined,
    );
    return isAnswered ? record : undefined;
  }

  /** Response that holds the open questions; undefined when there are none. */
  get required(): InputRequired | undefined {
    if (this.#waiting.size === 0) return undefined;
    const state: RequestState = {
      subject: this.#subject,
      asked: Object.fromEntries([...this.#waiting].map(([name, { digest: question }]) => [name, question])),
      answered: this.#answered,
      things: this.#things,
      again: [...this.#again],
      record: this.#record,
    };
    return {
      resultType: 'input_required',
      inputRequests: inputRequests(this.#waiting),
      requestState: this.#states.sign(state),
    };
  }

  /** Throws when the client answered a question with this name but other content. Does so once for each name. */
  #refuseChanged(name: string, { question, digest: expected }: DigestedQuestion): void {
    const { asked, answered, things, again = [] } = this.#state ?? {};
    const isAgain = again.includes(name);
    const answeredFor = ownMember(things, name);
    const before =
      ownMember(answered, name)?.question ?? (ownMember(this.#responses, name) === undefined ? undefined : ownMember(asked, name));
    if (isAgain) this.#again.add(name);
    if (question.things === undefined || answeredFor === undefined || before === undefined || before === expected) return;
    if (this.#again.has(name) && !isAgain) return;
    this.#again.add(name);
    // Same question, asked again.
    this.#count--;
    throw new ToolkitError('ABORTED', 'The question has changed since the client answered it.', { answeredFor, isAgain });
  }

  async #answerTo(name: string, { question, digest: expected }: DigestedQuestion): Promise<ClientAnswer | undefined> {
    const before = ownMember(this.#state?.answered, name);
    const isAnswered = before?.question === expected;
    const answer = isAnswered ? before.answer : ownMember(this.#responses, name);
    if (answer === undefined || !isAnswerTo(question.method, answer)) return undefined;
    const isOfState = isAnswered || ownMember(this.#state?.asked, name) === expected;
    if (question.holdsFor !== undefined) return isOfState && (await this.#consumeState()) ? answer : undefined;
    // Without a state the client answers in advance; nothing depends on the time of the answer.
    return isOfState || this.#state === undefined ? answer : undefined;
  }

  /** Consumes the state: one state serves one request. */
  #consumeState(): boolean | Promise<boolean> {
    this.#isStateConsumed ??= this.#state?.consume() ?? false;
    return this.#isStateConsumed;
  }
}

function checkedResponses(responses: unknown = {}): Readonly<Record<string, ClientAnswer>> {
  if (!isPlainObject(responses))
    throw new RpcError(
      errorCodes.invalidParams,
      `"inputResponses" of the request is wrong: expected an object, received ${describeValue(responses)}.`,
    );
  const issue = Object.entries(responses).find(([, answer]) => !isPlainObject(answer));
  if (issue === undefined) return responses as Readonly<Record<string, ClientAnswer>>;
  const [name, answer] = issue;
  throw new RpcError(
    errorCodes.invalidParams,
    `"inputResponses" of the request is wrong: ${JSON.stringify(name.slice(0, 100))}: expected an object, received ${describeValue(answer)}.`,
  );
}

function ownMember<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

function subjectOf(request: readonly unknown[]): string {
  try {
    return digest(request);
  } catch {
    throw new RpcError(errorCodes.invalidParams, 'The request has no canonical form (RFC 8785): a text of it is not Unicode. Correct it.');
  }
}

/** Returns the same digest for equal values in any member order (RFC 8785). */
function digest(value: unknown): string {
  return hash('sha256', String(canonicalize(value)), 'hex');
}
