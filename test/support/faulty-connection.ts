import type { Socket } from 'node:net';
import { FaultFlow, type FlowFault } from './fault-flow.ts';

/** Direction of bytes: `requests` go to the server, `answers` to the client. */
export type Direction = 'requests' | 'answers' | 'both';

/** End of a connection that a fault concerns. */
export type Side = 'client' | 'server' | 'both';

/** Latest bytes of the client that are kept, so that a test can recognize a connection. */
const keptBytes = 65_536;

/** A connection through a `FaultProxy`. All faults can be switched at any time. */
export class FaultyConnection {
  /** Resolves when both of its sockets are closed. */
  readonly closed: Promise<void>;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #requests: FaultFlow;
  readonly #answers: FaultFlow;
  #isConnected = false;
  #sent = '';

  /** `client`: accepted with `allowHalfOpen`. Connects to the target at the first `set` that lets requests pass. */
  constructor(client: Socket, server: Socket, target: { readonly host: string; readonly port: number }) {
    this.#client = client;
    this.#server = server;
    this.#target = target;
    this.#requests = new FaultFlow(client, server, (chunk) => {
      this.#sent = (this.#sent + chunk.toString('latin1')).slice(-keptBytes);
    });
    this.#answers = new FaultFlow(server, client);
    for (const [socket, other, flow] of [
      [client, server, this.#answers],
      [server, client, this.#requests],
    ] as const) {
      // A reset passes as a reset. Swallowed, the other side is left as it is.
      socket.on('error', () => this.#reset(other, flow));
      socket.on('close', () => this.#end(other, flow));
    }
    this.closed = Promise.all([client, server].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))).then(
      () => {},
    );
  }

  /** Latest 64 KiB that the client sent, as Latin-1: SQL can be searched in it. */
  get sent(): string {
    return this.#sent;
  }

  /** True when the client has ended its side. */
  get hasEnded(): boolean {
    return this.#client.readableEnded;
  }

  /** Passes everything, first what was held back. A side whose other side is gone is reset. */
  pass(): void {
    this.set({ kind: 'pass' }, 'both');
  }

  /** Delivers each chunk `ms` after it came. */
  delay(ms: number, direction: Direction = 'both'): void {
    this.set({ kind: 'delay', ms }, direction);
  }

  /** Stays open and passes nothing, neither bytes nor the end or reset of a side, until `pass`, which delivers what was held back. */
  swallow(direction: Direction = 'both'): void {
    this.set({ kind: 'swallow' }, direction);
  }

  /** Closes in order (FIN). What was held back is lost. */
  drop(side: Side = 'both'): void {
    if (side !== 'server') this.#client.destroy();
    if (side !== 'client') this.#server.destroy();
  }

  /** Resets (RST). With `server` alone, on a swallowed connection: the server has given up a client whose packets vanish. */
  cut(side: Side = 'both'): void {
    if (side !== 'server') reset(this.#client);
    if (side !== 'client') reset(this.#server);
  }

  /** Sets the fault of a direction and leaves the other one as it is. */
  set(fault: FlowFault, direction: Direction): void {
    if (direction !== 'answers' && fault.kind !== 'swallow') this.#connect();
    if (direction !== 'answers') this.#requests.set(fault);
    if (direction !== 'requests') this.#answers.set(fault);
    if (this.#server.destroyed) this.#reset(this.#client, this.#answers);
    if (this.#client.destroyed) this.#reset(this.#server, this.#requests);
  }

  #connect(): void {
    if (this.#isConnected || this.#client.destroyed) return;
    this.#isConnected = true;
    this.#server.connect(this.#target);
  }

  #reset(socket: Socket, flow: FaultFlow): void {
    if (!flow.isSwallowed && !socket.destroyed) reset(socket);
  }

  #end(socket: Socket, flow: FaultFlow): void {
    if (!flow.isSwallowed && !socket.destroyed) socket.destroySoon();
  }
}

/** Resets a socket. One that is about to end cannot be reset: libuv refuses it, and Node then never closes it. */
function reset(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}
