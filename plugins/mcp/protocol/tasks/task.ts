import { randomUUID } from 'node:crypto';
import { isPlainObject, ToolkitError } from '../../../../kernel/index.ts';
import type { Message, Outcome, Response, Wire } from '../../../shared/json-rpc/message.ts';
import { isAnswerTo } from '../asking/client-answer.ts';
import { inputRequests } from '../asking/input-requests.ts';
import type { ClientAnswer, Question } from '../clients/exchange.ts';

/** Interval at which a client should poll a task, in milliseconds. */
const pollIntervalMs = 1000;

/** Lifetime of a task from its creation, in milliseconds. */
const ttlMs = 60 * 60_000;

/** Minimum time that a finished task is kept, in milliseconds. */
const finishedTtlMs = 10 * 60_000;

interface Waiting {
  readonly question: Question;
  answer(errorFromReason: ClientAnswer): void;
}

export interface TaskOptions {
  /** The caller that owns the task. No other caller can find it. */
  readonly caller: string;
  /** First message of the status. */
  readonly status?: string | undefined;
  /** Aborts the call. */
  readonly abort: (reason: unknown) => void;
}

/** A task as its client sees it. Methods return promises where another process runs the task. */
export interface FoundTask {
  /** Status of the task with its result, its error or its open questions. */
  readonly details: object;
  /** Takes answers by the name of their question. Ignores answers to no open question. */
  answer(responses: Readonly<Record<string, unknown>>): void | Promise<void>;
  cancel(): void | Promise<void>;
}

/** A call whose client fetches the result later. Receives the call's messages meanwhile. */
export class Task implements Wire, FoundTask {
  /** 122 random bits. */
  readonly id = randomUUID();
  readonly caller: string;
  /** Called after each change. */
  onChange: (isProgress: boolean) => void = () => {};
  readonly #abort: TaskOptions['abort'];
  readonly #createdAt = Date.now();
  readonly #waiting = new Map<string, Waiting>();
  #updatedAt = this.#createdAt;
  #statusMessage: string | undefined;
  #outcome: Outcome | undefined;
  #isCancelled = false;
  #questions = 0;

  constructor({ caller, status, abort }: TaskOptions) {
    this.caller = caller;
    this.#statusMessage = status;
    this.#abort = abort;
  }

  get isOver(): boolean {
    return this.#isCancelled || this.#outcome !== undefined;
  }

  /** True when the task need not be kept any more. */
  get hasExpired(): boolean {
    return this.isOver && Date.now() >= Math.max(this.#createdAt + ttlMs, this.#updatedAt + finishedTtlMs);
  }

  /** Status of the task, without its outcome. */
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

  /** Status of the task with its result, its error or its open questions. */
  get details(): object {
    return {
      ...this.summary,
      ...(this.#status === 'input_required' ? { inputRequests: inputRequests(this.#waiting) } : {}),
      ...(this.#isCancelled ? {} : this.#outcome),
    };
  }

  /** Takes a message of the call: its response ends the task, progress becomes the status message. */
  send(message: Message): void {
    if (!('method' in message)) {
      this.#end(message);
      return;
    }
    if (message.method !== 'notifications/progress') return;
    const progress = message.params?.['message'];
    if (typeof progress === 'string') this.#statusMessage = progress;
    this.#change(true);
  }

  /** Returns the client's answer. The client sees the question at its next poll. Rejects when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<ClientAnswer> {
    this.#questions++;
    const name = question.name ?? `question_${this.#questions}`;
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

  /** Takes answers by the name of their question. Ignores answers to no open question. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [name, response] of Object.entries(responses)) {
      const waiting = this.#waiting.get(name);
      if (waiting !== undefined && isPlainObject(response) && isAnswerTo(waiting.question.method, response)) waiting.answer(response);
    }
    this.#updatedAt = Date.now();
  }

  #end(response: Response): void {
    if (this.isOver) return;
    this.#outcome = 'result' in response ? { result: response.result } : { error: response.error };
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
