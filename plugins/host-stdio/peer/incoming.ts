import type { Progress } from '../../../kernel/index.ts';
import type { RequestId } from './message.ts';

/** A running request of the other side. */
export class Incoming {
  readonly id: RequestId;
  readonly #tell: (params: object) => void;
  /** Created at the first use of `signal`: most requests end without one. */
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(id: RequestId, tell: (params: object) => void) {
    this.id = id;
    this.#tell = tell;
  }

  /** Aborts when the other side cancels the request. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Sends the progress of this request to the other side. */
  progress({ progress, total, message }: Progress): void {
    this.#tell({
      id: this.id,
      ...(progress === undefined ? {} : { progress }),
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }
}
