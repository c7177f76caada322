import { createServer, type Server, Socket } from 'node:net';
import { type HeldPort, holdPort } from './closed-port.ts';
import type { FlowFault } from './fault-flow.ts';
import { type Direction, FaultyConnection, type Side } from './faulty-connection.ts';

/** Address of the server behind the proxy. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/**
 * A TCP proxy on a loopback port before a server such as PostgreSQL, whose faults are switched by method at any time. Give each process a proxy
 * of its own where one of them is to be cut off alone.
 *
 *     const proxy = await FaultProxy.open(server.address);   // { host, port }
 *     const url = proxy.urlOf(databaseUrl);                  // the same database through the proxy
 *     proxy.swallow();                                       // all connections, new ones too: open, and nothing passes
 *     proxy.pass();                                          // healthy again, delivers what was held back
 *     proxy.refuse(); proxy.cut();                           // an outage: new connections are refused, open ones reset
 *     proxy.connections[0]?.swallow('answers');              // one connection, one direction; the others pass
 *     proxy.onConnection = (connection) => connection.cut(); // a fault for connections to come
 *     await proxy.close();
 *
 * `pass`, `delay`, `swallow` hold for open connections and those to come. `drop` (FIN) and `cut` (RST) end those that are open now. `refuse` holds
 * until `pass`, `delay` or `swallow`, and leaves open connections alone.
 */
export class FaultProxy {
  /** Called for each new connection, after the present fault was set. Replace it to choose another fault. */
  onConnection: (connection: FaultyConnection) => void = () => {};
  readonly #target: Target;
  readonly #port: HeldPort;
  readonly #connections = new Set<FaultyConnection>();
  #server: Server | undefined;
  #fault: FlowFault = { kind: 'pass' };
  #direction: Direction = 'both';

  private constructor(target: Target, port: HeldPort) {
    this.#target = target;
    this.#port = port;
  }

  static async open(target: Target): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, await holdPort());
    await proxy.#listen();
    return proxy;
  }

  /** The same port for as long as the proxy is open, also while it refuses. */
  get port(): number {
    return this.#port.port;
  }

  /** Open connections, the oldest first. */
  get connections(): readonly FaultyConnection[] {
    return [...this.#connections];
  }

  /** Returns the URL with the address of the proxy. */
  urlOf(url: string): string {
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = String(this.port);
    return proxied.href;
  }

  /** Passes everything. Resolves when connections are accepted. */
  pass(): Promise<void> {
    return this.#set({ kind: 'pass' }, 'both');
  }

  /** Delivers each chunk `ms` after it came. */
  delay(ms: number, direction: Direction = 'both'): Promise<void> {
    return this.#set({ kind: 'delay', ms }, direction);
  }

  /** Connections are open, new ones are accepted, and nothing passes. See `FaultyConnection.swallow`. */
  swallow(direction: Direction = 'both'): Promise<void> {
    return this.#set({ kind: 'swallow' }, direction);
  }

  /** Refuses new connections, as a host does where nothing listens. */
  refuse(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  /** Closes the open connections in order (FIN). */
  drop(side?: Side): void {
    for (const connection of this.#connections) connection.drop(side);
  }

  /** Resets the open connections (RST). */
  cut(side?: Side): void {
    for (const connection of this.#connections) connection.cut(side);
  }

  async close(): Promise<void> {
    const closed = [...this.#connections].map((connection) => connection.closed);
    this.refuse();
    this.cut();
    await Promise.all(closed);
    this.#port.release();
  }

  async #set(fault: FlowFault, direction: Direction): Promise<void> {
    this.#fault = fault;
    this.#direction = direction;
    for (const connection of this.#connections) this.#setFault(connection);
    await this.#listen();
  }

  #setFault(connection: FaultyConnection): void {
    connection.set(this.#fault, this.#direction);
    if (this.#direction !== 'both') connection.set({ kind: 'pass' }, this.#direction === 'requests' ? 'answers' : 'requests');
  }

  async #listen(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => this.#accept(client));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  #accept(client: Socket): void {
    const connection = new FaultyConnection(client, new Socket({ allowHalfOpen: true }), this.#target);
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    this.#setFault(connection);
    this.onConnection(connection);
  }
}
