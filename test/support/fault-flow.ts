import type { Socket } from 'node:net';

/** Fault of one direction of a connection. */
export type FlowFault = { readonly kind: 'pass' } | { readonly kind: 'delay'; readonly ms: number } | { readonly kind: 'swallow' };

interface Packet {
  /** Undefined for the end of the stream. */
  readonly chunk: Buffer | undefined;
  readonly at: number;
}

/** One direction of a proxied connection. Bytes keep their order and none is lost: swallowed ones go on when they may pass, as TCP sends again. */
export class FaultFlow {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #onChunk: (chunk: Buffer) => void;
  readonly #packets: Packet[] = [];
  #fault: FlowFault = { kind: 'pass' };
  #timer: NodeJS.Timeout | undefined;

  constructor(source: Socket, sink: Socket, onChunk: (chunk: Buffer) => void = () => {}) {
    this.#source = source;
    this.#sink = sink;
    this.#onChunk = onChunk;
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.on('end', () => this.#take(undefined));
    sink.on('drain', () => this.#resume());
    sink.on('close', () => clearTimeout(this.#timer));
  }

  get isSwallowed(): boolean {
    return this.#fault.kind === 'swallow';
  }

  set(fault: FlowFault): void {
    this.#fault = fault;
    clearTimeout(this.#timer);
    // Not read, the end of the source, also by a reset, goes unnoticed.
    if (fault.kind === 'swallow') this.#source.pause();
    else {
      this.#resume();
      this.#deliver();
    }
  }

  #resume(): void {
    if (!this.isSwallowed) this.#source.resume();
  }

  #take(chunk: Buffer | undefined): void {
    if (chunk !== undefined) this.#onChunk(chunk);
    this.#packets.push({ chunk, at: performance.now() });
    this.#deliver();
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    if (this.#fault.kind === 'swallow' || this.#sink.destroyed) return;
    const delayMs = this.#fault.kind === 'delay' ? this.#fault.ms : 0;
    for (let first = this.#packets[0]; first !== undefined; first = this.#packets[0]) {
      const waitMs = delayMs === 0 ? 0 : first.at + delayMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#deliver(), Math.ceil(waitMs));
        return;
      }
      this.#packets.shift();
      if (first.chunk === undefined) this.#sink.end();
      else if (!this.#sink.write(first.chunk)) this.#source.pause();
    }
  }
}
