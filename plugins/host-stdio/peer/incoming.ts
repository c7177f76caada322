import type { Progress } from '../../../kernel/index.ts';
import type { RequestId } from './message.ts';

/** A request of the other side, while it runs. */
export class Incoming {
  readonly id: RequestId;
  readonly #tell: (params: object) => void;
  /** Made when somebody asks for the signal: most requests end without. */
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(id: RequestId, tell: (params: object) => void) {
    this.id = id;
    this.#tell = tell;
  }

  /** Aborts when the other side does not want the answer any more. */
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

  /** Tells the other side how far it is. */
  progress({ progress, total, message }: Progress): void {
    this.#tell({
      id: this.id,
      ...(progress === undefined ? {} : { progress }),
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }
}
