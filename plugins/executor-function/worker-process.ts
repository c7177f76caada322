import type { ChildProcess } from 'node:child_process';
import type { ExecutionResult } from '../../kernel/index.ts';
import { lowerPriority } from '../shared/process/lower-priority.ts';
import { requireStreams } from '../shared/process/require-streams.ts';
import { signalGroup } from '../shared/process/signal-group.ts';
import { killWithThisProcess } from '../shared/process/watchdog.ts';

/** Takes the messages of one call: settles it, or does something else with them. */
type Listen<Message, Answer> = (resolve: (answer: Answer) => void, reject: (error: unknown) => void) => (message: Message) => void;

/** One exchange with a process. */
export interface ProcessCall<Message, Answer> {
  readonly signal: AbortSignal;
  readonly listen: Listen<Message, Answer>;
  send(): void;
  /** Makes the result of the answer; undefined: the process has ended without one. Runs before the process counts as idle. */
  finish(answer: Answer | undefined): ExecutionResult | Promise<ExecutionResult>;
}

/**
 * A process, in a group of its own, that takes one call at a time, whatever it speaks. It is killed when a call in it is aborted, and by the watchdog when
 * this process is gone. A protocol gives it its messages by `receive`.
 */
export class WorkerProcess<Message> {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Why it could not be started. */
  startError: NodeJS.ErrnoException | undefined;
  /** The end of what was printed during the call that runs, or ran last; or why the process was stopped. */
  printed = '';
  readonly #maxPrinted: number;
  #isAlive = true;
  /** Undefined between calls. */
  #onMessage: ((message: Message) => void) | undefined;

  /** `maxPrinted`: in characters. Throws where no descriptor was left for the pipes of the process. */
  constructor(child: ChildProcess, maxPrinted: number) {
    this.child = child;
    this.#maxPrinted = maxPrinted;
    this.ended = new Promise((resolve) => {
      // What the process started may outlive it and keep its streams open.
      child.once('exit', () => this.kill());
      child.once('close', () => resolve());
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.startError = error;
        this.#isAlive = false;
        resolve();
      });
    });
    requireStreams(child);
    lowerPriority(child.pid);
    void this.ended.then(killWithThisProcess(child.pid));
    child.stdin?.on('error', () => {});
    // Own text: lines of the log
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.printed = (this.printed + text).slice(-this.#maxPrinted);
    });
  }

  /** False as soon as the end has begun: no further call may be given to it. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Hands a message to the call that runs. False between calls. */
  receive(message: Message): boolean {
    const take = this.#onMessage;
    take?.(message);
    return take !== undefined;
  }

  /** Takes no further message for the call that runs. */
  ignore(): void {
    this.#onMessage = undefined;
  }

  async call<Answer>({ signal, listen, send, finish }: ProcessCall<Message, Answer>): Promise<ExecutionResult> {
    this.printed = '';
    signal.throwIfAborted();
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#onMessage = listen(resolve, reject);
    });
    const onAbort = (): void => this.kill();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      send();
      return await finish(await Promise.race([answer, this.ended.then(() => undefined)]));
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#onMessage = undefined;
    }
  }

  /** Ends a process of which nothing that follows can be believed. */
  stop(why: string): void {
    this.#onMessage = () => {};
    this.printed = why;
    this.kill();
  }

  /** Ends the process and everything that it started. */
  kill(): void {
    this.#isAlive = false;
    signalGroup(this.child.pid, 'SIGKILL');
  }

  async end(): Promise<void> {
    if (this.#isAlive) this.kill();
    await this.ended;
  }

  /** Says whether it works: one that waits for work must not keep this process alive. */
  hold(isWorking: boolean): void {
    const method = isWorking ? 'ref' : 'unref';
    this.child[method]();
    for (const stream of this.child.stdio ?? []) (stream as { ref?(): void; unref?(): void } | null)?.[method]?.();
  }
}
