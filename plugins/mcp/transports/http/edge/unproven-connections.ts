import { BlockList, isIPv6, type Socket } from 'node:net';

export interface UnprovenOptions {
  /** Connections that have shown no token, all addresses together. */
  readonly max: number;
  /** Addresses and networks (`10.0.0.0/8`) of proxies, whose connections are those of many clients. */
  readonly proxies: readonly string[];
  /** Notified of each connection that had to give way, with its address. */
  onClosed(address: string): void;
}

/** The part of them that one address may have, unless it is this machine's or that of a proxy. */
const shareOfOne = 1 / 4;

/**
 * Connections that have shown no valid token. Of these there are at most so many, by construction: for a new one the oldest gives way, first of its own
 * address where that has its share. A client with a token sends it at once and is counted no longer, so strangers cannot shut it out, whatever they
 * send, hold back or leave open.
 */
export class UnprovenConnections {
  readonly #options: UnprovenOptions;
  readonly #unlimited = new BlockList();
  /** Oldest first, by address and port of the client: over TLS a request comes over another object than the connection. */
  readonly #open = new Map<string, { readonly socket: Socket; readonly address: string }>();
  /** By address, the keys of its connections, oldest first. */
  readonly #ofAddress = new Map<string, Set<string>>();
  /** Those over which requests with a valid token came: each of a connection's further requests ends here. */
  readonly #proven = new WeakSet<Socket>();

  /** Throws where a proxy is no address. */
  constructor(options: UnprovenOptions) {
    this.#options = options;
    for (const network of ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104', ...options.proxies]) this.#exempt(network);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes a new connection, for which another one may have to go. */
  add(socket: Socket): void {
    const { remoteAddress: address } = socket;
    // It is gone already.
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

  /** Counts a connection no longer: a request over it had a valid token. */
  prove(socket: Socket): void {
    if (this.#proven.has(socket)) return;
    this.#proven.add(socket);
    this.#forget(keyOf(socket));
  }

  #close(key: string | undefined): void {
    const found = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || found === undefined) return;
    this.#forget(key);
    found.socket.destroy();
    this.#options.onClosed(found.address);
  }

  /** `socket`: only where it is this one's, because a port is used again. */
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
