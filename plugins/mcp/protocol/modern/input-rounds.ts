import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describeValue, isPlainObject, ToolkitError } from '../../../../kernel/index.ts';
import type { Question } from '../exchange.ts';
import { errorCodes } from '../messages.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type ClientAnswer, isAnswerTo } from './client-answer.ts';
import { type InputRequests, inputRequests } from './input-requests.ts';
import type { OpenedState, RequestState, RequestStates } from './request-states.ts';

type Params = Readonly<Record<string, unknown>>;

/** The request whose client is asked. */
export interface AskingRequest {
  readonly caller: string;
  readonly method: string;
  readonly params: Params;
}

/** The answer to a request that cannot go on without its client: it is made again, with answers (MCP 2026-07-28, Multi Round-Trip Requests). */
export interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests: InputRequests;
  readonly requestState: string;
}

interface Asked {
  readonly question: Question;
  readonly digest: string;
}

/**
 * The questions of one request, which is made again for each round of answers. A question that was answered is answered at once; others end the
 * request. What an answer holds for counts only with a state of this server that was not used before.
 */
export class InputRounds {
  readonly #states: RequestStates;
  readonly #subject: string;
  readonly #responses: Readonly<Record<string, ClientAnswer>>;
  readonly #state: OpenedState | undefined;
  readonly #waiting = new Map<string, Asked>();
  readonly #answered: Record<string, { question: string; answer: ClientAnswer }> = {};
  readonly #things: Record<string, Readonly<Record<string, string>>> = {};
  readonly #again = new Set<string>();
  #count = 0;
  #isStateMine: boolean | Promise<boolean> | undefined;

  /** Throws -32602 for answers or a state that are malformed, or of another request. */
  constructor(states: RequestStates, { caller, method, params }: AskingRequest) {
    const { inputResponses, requestState, _meta, ...asked } = params;
    this.#states = states;
    this.#subject = subjectOf([caller, method, asked]);
    this.#responses = checkedResponses(inputResponses);
    if (requestState !== undefined && typeof requestState !== 'string')
      throw new ProtocolError(
        errorCodes.invalidParams,
        `"requestState" of the request is wrong: expected a text, received ${describeValue(requestState)}.`,
      );
    this.#state = requestState === undefined ? undefined : states.open(requestState, this.#subject);
  }

  /** The answer of the client. Rejects where it has to be asked first. */
  async ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    signal.throwIfAborted();
    this.#count++;
    const name = question.name ?? `question_${this.#count}`;
    const { method, params, holdsFor } = question;
    // What it holds for is all that its text shows, in whatever order.
    const asked: Asked = { question, digest: digest([method, holdsFor ?? params]) };
    if (question.things !== undefined) this.#things[name] = question.things;
    const answer = await this.#answerTo(name, asked);
    if (answer === undefined) this.#refuseChanged(name, asked);
    if (answer !== undefined) {
      this.#answered[name] = { question: asked.digest, answer };
      return answer;
    }
    this.#waiting.set(name, asked);
    // The answers that hold with it are known before the next state is made.
    if (this.#isStateMine instanceof Promise) await this.#isStateMine.catch(() => {});
    // Whoever asks several things at once has asked them all by then.
    await new Promise((resolve) => setImmediate(resolve));
    throw new ToolkitError('ABORTED', 'The client is asked: it answers with another request.', { isAsked: true });
  }

  /** What the request is answered with while questions wait; undefined where none does. */
  get required(): InputRequired | undefined {
    if (this.#waiting.size === 0) return undefined;
    const state: RequestState = {
      subject: this.#subject,
      asked: Object.fromEntries([...this.#waiting].map(([name, { digest: question }]) => [name, question])),
      answered: this.#answered,
      things: this.#things,
      again: [...this.#again],
    };
    return {
      resultType: 'input_required',
      inputRequests: inputRequests(this.#waiting),
      requestState: this.#states.close(state),
    };
  }

  /** Throws, once for each name, where the client has answered a question of that name which was about other things. */
  #refuseChanged(name: string, { question, digest: expected }: Asked): void {
    const { asked, answered, things, again = [] } = this.#state ?? {};
    const isAgain = again.includes(name);
    const answeredFor = own(things, name);
    const before = own(answered, name)?.question ?? (own(this.#responses, name) === undefined ? undefined : own(asked, name));
    if (isAgain) this.#again.add(name);
    if (question.things === undefined || answeredFor === undefined || before === undefined || before === expected) return;
    if (this.#again.has(name) && !isAgain) return;
    this.#again.add(name);
    // The same question is asked anew.
    this.#count--;
    throw new ToolkitError('ABORTED', 'What the client has answered is about other things than now.', { answeredFor, isAgain });
  }

  async #answerTo(name: string, { question, digest: expected }: Asked): Promise<ClientAnswer | undefined> {
    const before = own(this.#state?.answered, name);
    const isAnswered = before?.question === expected;
    const answer = isAnswered ? before.answer : own(this.#responses, name);
    if (answer === undefined || !isAnswerTo(question.method, answer)) return undefined;
    const isOfState = isAnswered || own(this.#state?.asked, name) === expected;
    if (question.holdsFor !== undefined) return isOfState && (await this.#useState()) ? answer : undefined;
    // Without a state the client answers what it expects to be asked: nothing depends on when that was.
    return isOfState || this.#state === undefined ? answer : undefined;
  }

  /** One state answers one request. */
  #useState(): boolean | Promise<boolean> {
    this.#isStateMine ??= this.#state?.spend() ?? false;
    return this.#isStateMine;
  }
}

function checkedResponses(responses: unknown = {}): Readonly<Record<string, ClientAnswer>> {
  if (!isPlainObject(responses))
    throw new ProtocolError(
      errorCodes.invalidParams,
      `"inputResponses" of the request is wrong: expected an object, received ${describeValue(responses)}.`,
    );
  const wrong = Object.entries(responses).find(([, answer]) => !isPlainObject(answer));
  if (wrong === undefined) return responses as Readonly<Record<string, ClientAnswer>>;
  const [name, answer] = wrong;
  throw new ProtocolError(
    errorCodes.invalidParams,
    `"inputResponses" of the request is wrong: ${JSON.stringify(name.slice(0, 100))}: expected an object, received ${describeValue(answer)}.`,
  );
}

function own<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

function subjectOf(request: readonly unknown[]): string {
  try {
    return digest(request);
  } catch {
    throw new ProtocolError(
      errorCodes.invalidParams,
      'The request has no canonical form (RFC 8785): a text of it is not Unicode. Correct it.',
    );
  }
}

/** The same for the same value, however its members are ordered (RFC 8785). */
function digest(value: unknown): string {
  return hash('sha256', String(canonicalize(value)), 'hex');
}
