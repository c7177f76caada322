import { BlockList, isIPv6, type Socket } from 'node:net';

export interface UnprovenOptions {
  /** Maximum number of connections without a valid token, for all addresses together. */
  readonly max: number;
  /** Addresses and networks (`10.0.0.0/8`) of proxies. Their connections carry the requests of many clients. */
  readonly proxies: readonly string[];
  /** Called with the address of each connection that was closed for a newer one. */
  onClosed(address: string): void;
}

/** Share of one address. Loopback and proxies have no such limit. */
const shareOfOne = 1 / 4;

/**
 * Connections without a valid token. Their number is limited: a new one closes the oldest, first of its own address where that has
 * its share. A client with a token sends it at once and is counted no longer. So strangers cannot shut it out.
 */
export class UnprovenConnections {
  readonly #options: UnprovenOptions;
  readonly #unlimited = new BlockList();
  /** Oldest first, by the client's address and port: over TLS, requests have another socket object than connections. */
  readonly #open = new Map<string, { readonly socket: Socket; readonly address: string }>();
  /** Keys of the connections by address, oldest first. */
  readonly #ofAddress = new Map<string, Set<string>>();

  /** Throws for a proxy that is no address. */
  constructor(options: UnprovenOptions) {
    this.#options = options;
    for (const network of ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104', ...options.proxies]) this.#exempt(network);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a new connection. May close another one for it. */
  add(socket: Socket): void {
    const { remoteAddress: address } = socket;
    // Already closed.
    if (address === undefined) return void socket.destroy();
    const key = keyOf(socket);
    const keys = this.#ofAddress.get(address) ?? new Set();
    this.#ofAddress.set(address, keys.add(key));
    this.#open.set(key, { socket, address });
    socket.once('close', () => this.#forget(key, socket));
    const { max } = this.#options;
    const [oldestOfAddress] = keys;
    const [oldest] = this.#open.keys();
    if (keys.size > Math.max(1, max * shareOfOne) && !this.#isUnlimited(address)) this.#close(oldestOfAddress);
    else if (this.#open.size > max) this.#close(oldest);
  }

  /** Stops counting a connection: a request over it had a valid token. */
  prove(socket: Socket): void {
    this.#forget(keyOf(socket));
  }

  #close(key: string | undefined): void {
    const found = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || found === undefined) return;
    this.#forget(key);
    found.socket.destroy();
    this.#options.onClosed(found.address);
  }

  /** Forgets a connection. `socket`: checked first, because a client may use a port again. */
  #forget(key: string, socket?: Socket): void {
    const found = this.#open.get(key);
    if (found === undefined || (socket !== undefined && found.socket !== socket)) return;
    this.#open.delete(key);
    const keys = this.#ofAddress.get(found.address);
    keys?.delete(key);
    if (keys?.size === 0) this.#ofAddress.delete(found.address);
  }

  #exempt(network: string): void {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    this.#unlimited.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }

  #isUnlimited(address: string): boolean {
    return this.#unlimited.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
