import type { Writable } from 'node:stream';
import type { Kernel } from '../../../../kernel/index.ts';
import { batchText, type Message, messageText, type RequestId, type Wire } from '../../../shared/json-rpc/message.ts';
import { Outbox } from '../outbox.ts';

/** A batch with requests that have no response yet. */
interface OpenBatch {
  readonly answers: Message[];
  open: number;
}

/**
 * Writes all messages of one event-loop iteration at once: each write is a system call that wakes the client. The responses to a batch
 * are one message, written with the last of them.
 */
export class StdoutWire implements Wire {
  readonly #lines: Outbox<string>;
  /** Batches by the id of each request without a response. */
  readonly #batches = new Map<RequestId, OpenBatch>();

  constructor(output: Writable, kernel: Kernel) {
    this.#lines = new Outbox({
      kernel,
      scheduleFlush: (send) => process.nextTick(send),
      send: (lines) => void output.write(lines.join('')),
    });
  }

  send(message: Message, request?: RequestId): void {
    if (this.#batches.size > 0 && request !== undefined && !('method' in message) && this.#answer(request, message)) return;
    this.#lines.add(`${messageText(message)}\n`);
  }

  /** Begins a batch with these requests. `refusals`: responses that exist already. */
  beginBatch(requests: readonly RequestId[], refusals: readonly Message[]): void {
    const batch = { answers: [...refusals], open: requests.length };
    for (const id of requests) this.#batches.set(id, batch);
    this.#endWhole(batch);
  }

  /** Removes a cancelled request, which gets no response. */
  drop(request: RequestId): void {
    this.#answer(request);
  }

  /** Adds a response to its batch. Returns false for a request outside a batch. */
  #answer(request: RequestId, message?: Message): boolean {
    const batch = this.#batches.get(request);
    if (batch === undefined) return false;
    this.#batches.delete(request);
    if (message !== undefined) batch.answers.push(message);
    batch.open--;
    this.#endWhole(batch);
    return true;
  }

  #endWhole({ answers, open }: OpenBatch): void {
    if (open === 0 && answers.length > 0) this.#lines.add(`${batchText(answers)}\n`);
  }

  /** Writes the remaining messages. */
  async close(): Promise<void> {
    await this.#lines.empty();
  }
}
