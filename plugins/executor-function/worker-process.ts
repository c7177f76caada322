import type { ChildProcess } from 'node:child_process';
import type { ExecutionResult } from '../../kernel/index.ts';
import { lowerPriority } from '../shared/process/lower-priority.ts';
import { requireStreams } from '../shared/process/require-streams.ts';
import { signalGroup } from '../shared/process/signal-group.ts';
import { killWithThisProcess } from '../shared/process/watchdog.ts';

/** Makes the listener for messages of one call, which settles the call or handles the message. */
type MakeListener<Message, Answer> = (resolve: (answer: Answer) => void, reject: (error: unknown) => void) => (message: Message) => void;

/** One call in a process. */
export interface ProcessCall<Message, Answer> {
  readonly signal: AbortSignal;
  readonly listen: MakeListener<Message, Answer>;
  send(): void;
  /** Returns the result of the answer; undefined: the process ended without one. Runs before the process counts as idle. */
  finish(answer: Answer | undefined): ExecutionResult | Promise<ExecutionResult>;
}

/**
 * A process in a group of its own that takes one call at a time, whatever its protocol. It is killed when its call is aborted,
 * and by the watchdog when this process is gone. The protocol passes messages in with `receive`.
 */
export class WorkerProcess<Message> {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** The error of a failed start. */
  startError: NodeJS.ErrnoException | undefined;
  /** The end of the text printed during the current or last call, or the reason why the process was stopped. */
  printed = '';
  readonly #maxPrintedLength: number;
  #isAlive = true;
  /** The listener of the current call; undefined between calls. */
  #onMessage: ((message: Message) => void) | undefined;

  /** `maxPrintedLength`: limit of `printed`, in characters. Throws where no descriptor was left for the pipes of the process. */
  constructor(child: ChildProcess, maxPrintedLength: number) {
    this.child = child;
    this.#maxPrintedLength = maxPrintedLength;
    this.ended = new Promise((resolve) => {
      // Programs that the process started may outlive it and keep its streams open.
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
      this.printed = (this.printed + text).slice(-this.#maxPrintedLength);
    });
  }

  /** False as soon as the process begins to end: no further call may be given to it. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Passes a message to the current call. Returns false between calls. */
  receive(message: Message): boolean {
    const listener = this.#onMessage;
    listener?.(message);
    return listener !== undefined;
  }

  /** Ignores further messages of the current call. */
  ignoreMessages(): void {
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

  /** Ends a process whose further messages cannot be trusted. */
  stop(reason: string): void {
    this.#onMessage = () => {};
    this.printed = reason;
    this.kill();
  }

  /** Kills the process and everything that it started. */
  kill(): void {
    this.#isAlive = false;
    signalGroup(this.child.pid, 'SIGKILL');
  }

  async end(): Promise<void> {
    if (this.#isAlive) this.kill();
    await this.ended;
  }

  /** Lets the process keep this one alive while it works, and not while it is idle. */
  keepAliveWhile(isWorking: boolean): void {
    const method = isWorking ? 'ref' : 'unref';
    this.child[method]();
    for (const stream of this.child.stdio ?? []) (stream as { ref?(): void; unref?(): void } | null)?.[method]?.();
  }
}
