import { randomUUID } from 'node:crypto';
import { isPlainObject, ToolkitError } from '../../../../../kernel/index.ts';
import type { Question } from '../../exchange.ts';
import type { Message } from '../../messages.ts';
import type { Outcome } from '../../running-exchange.ts';
import type { Wire } from '../../wire.ts';
import { type ClientAnswer, isAnswerTo } from '../client-answer.ts';
import { inputRequests } from '../input-requests.ts';

/** How often a client should ask how a task is, in milliseconds. */
const pollIntervalMs = 1000;

/** How long a task is kept from its beginning on, in milliseconds. */
const ttlMs = 60 * 60_000;

/** How long it is kept at least when it is over, in milliseconds. */
const keptMs = 10 * 60_000;

interface Waiting {
  readonly question: Question;
  answer(given: ClientAnswer): void;
}

export interface TaskOptions {
  /** Whose it is; nobody else may ask for it. */
  readonly caller: string;
  /** Ends the call. */
  readonly abort: (reason: unknown) => void;
}

/** A task as whoever asks for it sees it. Promises where another process runs it. */
export interface FoundTask {
  /** What is known of it, with its result, its error, or the questions that wait for an answer. */
  readonly details: object;
  /** Takes answers by the name of their question. What fits no question that waits is left out. */
  answer(responses: Readonly<Record<string, unknown>>): void | Promise<void>;
  cancel(): void | Promise<void>;
}

/** A call whose client has gone on, and comes back for the result. It takes what the call has to say meanwhile. */
export class Task implements Wire, FoundTask {
  /** 122 random bits. */
  readonly id = randomUUID();
  readonly caller: string;
  /** Is told of each change. */
  onChange: (isProgress: boolean) => void = () => {};
  readonly #abort: TaskOptions['abort'];
  readonly #createdAt = Date.now();
  readonly #waiting = new Map<string, Waiting>();
  #updatedAt = this.#createdAt;
  #statusMessage: string | undefined;
  #outcome: Outcome | undefined;
  #isCancelled = false;
  #asked = 0;

  constructor({ caller, abort }: TaskOptions) {
    this.caller = caller;
    this.#abort = abort;
  }

  get isOver(): boolean {
    return this.#isCancelled || this.#outcome !== undefined;
  }

  /** Nobody needs it any more. */
  get hasExpired(): boolean {
    return this.isOver && Date.now() >= Math.max(this.#createdAt + ttlMs, this.#updatedAt + keptMs);
  }

  /** What is known of it, without what it has come to. */
  get summary(): object {
    return {
      taskId: this.id,
      status: this.#status,
      ...(this.#statusMessage === undefined ? {} : { statusMessage: this.#statusMessage }),
      createdAt: new Date(this.#createdAt).toISOString(),
      lastUpdatedAt: new Date(this.#updatedAt).toISOString(),
      ttlMs,
      pollIntervalMs,
    };
  }

  /** The same with its result, its error, or the questions that wait for an answer. */
  get details(): object {
    return {
      ...this.summary,
      ...(this.#status === 'input_required' ? { inputRequests: inputRequests(this.#waiting) } : {}),
      ...(this.#isCancelled ? {} : this.#outcome),
    };
  }

  /** Progress is what it says of itself. */
  send(message: Message): void {
    if (!('method' in message) || message.method !== 'notifications/progress') return;
    const told = message.params?.['message'];
    if (typeof told === 'string') this.#statusMessage = told;
    this.#change(true);
  }

  /** The answer of the client, which learns of the question when it asks how the task is. Rejects when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    this.#asked++;
    const name = question.name ?? `question_${this.#asked}`;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = (): void => {
        this.#waiting.delete(name);
        reject(signal.reason as Error);
      };
      const answer = (given: ClientAnswer): void => {
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(name);
        this.#change();
        resolve(given);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(name, { question, answer });
      this.#change();
    });
  }

  /** Takes answers by the name of their question. What fits no question that waits is left out. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [name, given] of Object.entries(responses)) {
      const waiting = this.#waiting.get(name);
      if (waiting !== undefined && isPlainObject(given) && isAnswerTo(waiting.question.method, given)) waiting.answer(given);
    }
    this.#updatedAt = Date.now();
  }

  end(outcome: Outcome): void {
    if (this.isOver) return;
    this.#outcome = outcome;
    this.#change();
  }

  cancel(): void {
    if (this.isOver) return;
    this.#isCancelled = true;
    this.#change();
    this.#abort(new ToolkitError('ABORTED', 'The client has cancelled the task.'));
  }

  #change(isProgress = false): void {
    this.#updatedAt = Date.now();
    this.onChange(isProgress);
  }

  get #status(): string {
    if (this.#isCancelled) return 'cancelled';
    if (this.#outcome !== undefined) return 'error' in this.#outcome ? 'failed' : 'completed';
    return this.#waiting.size > 0 ? 'input_required' : 'working';
  }
}
