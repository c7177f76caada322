import net from 'node:net';
import type { Agent, Dispatcher, ProxyAgent } from 'undici';
import { toUrl } from '../../kernel/index.ts';
import { requireCompleteBodies } from '../shared/http/complete-bodies.ts';
import { blockedAddressError, blockedNameError } from './addresses.ts';
import type { Target } from './host-list.ts';
import { type AddressCheck, openPinnedAgent, type TlsOptions, targetOf } from './pinned-agent.ts';
import type { Proxies, ProxyServer } from './proxies.ts';
import { redirectCookies } from './redirect-cookies.ts';
import { refuseRequest } from './refuse-request.ts';

type Dispatch = Dispatcher['dispatch'];

/** Time to wait for the addresses of a name before the proxy is left to resolve it, in milliseconds. */
const lookupTimeoutMs = 2000;

/** Names of private networks (RFC 6761, 6762 and 8375, and names that ICANN will not delegate), and names of one label. */
const privateNamePattern = /^[^.]+\.?$|\.(localhost|local|internal|intranet|private|corp|home|lan|localdomain|home\.arpa)\.?$/;

export interface DispatcherOptions {
  readonly isAllowed: AddressCheck;
  /** True when the operator has named this host, so that its address does not matter. */
  readonly isNamedByOperator: (target: Target) => boolean;
  readonly proxies: Proxies;
  /** Called for each request that goes through a proxy. */
  readonly onProxy: (proxy: ProxyServer) => void;
  readonly tls: TlsOptions;
}

/** Sends the requests of `fetch`: directly with pinned addresses, or through a proxy. Sees each hop of a redirect that fetch follows. */
export class GuardedDispatcher {
  readonly #options: DispatcherOptions;
  readonly #agents: (Agent | ProxyAgent)[];
  readonly #wrapDispatch: (agent: Agent | ProxyAgent) => Dispatch;
  readonly #direct: Dispatch;
  readonly #lookup: typeof import('node:dns').lookup;
  readonly #openProxy: (proxy: ProxyServer) => ProxyAgent;
  readonly #proxies = new Map<ProxyServer, Dispatch>();

  private constructor(
    options: DispatcherOptions,
    direct: Agent,
    { ProxyAgent: Opened, parseCookie }: typeof import('undici'),
    dns: typeof import('node:dns'),
  ) {
    const { tls } = options;
    this.#options = options;
    this.#agents = [direct];
    this.#wrapDispatch = (agent) =>
      redirectCookies(
        requireCompleteBodies((...args) => agent.dispatch(...args)),
        parseCookie,
      );
    this.#direct = this.#wrapDispatch(direct);
    this.#lookup = dns.lookup;
    this.#openProxy = ({ url, authorization }) =>
      new Opened({
        uri: url,
        // Many proxies open no tunnel to port 80.
        proxyTunnel: false,
        ...(authorization === undefined ? {} : { token: authorization }),
        requestTls: { ...tls },
      });
  }

  static async open(options: DispatcherOptions): Promise<GuardedDispatcher> {
    const [undici, dns] = await Promise.all([import('undici'), import('node:dns')]);
    return new GuardedDispatcher(options, await openPinnedAgent(options.isAllowed, options.tls), undici, dns);
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    try {
      const url = toUrl(String(request.origin));
      const target = targetOf(url);
      const proxy = this.#options.proxies.of(url.protocol, target);
      if (proxy === undefined) return this.#direct(request, handler);
      this.#options.onProxy(proxy);
      this.#refuseBlocked(target)
        .then(() => this.#dispatchThrough(proxy)(request, handler))
        .catch((error: Error) => refuseRequest(handler, error));
      return true;
    } catch (error) {
      return refuseRequest(handler, error as Error);
    }
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.destroy()));
  }

  #dispatchThrough(proxy: ProxyServer): Dispatch {
    const known = this.#proxies.get(proxy);
    if (known !== undefined) return known;
    const agent = this.#openProxy(proxy);
    this.#agents.push(agent);
    const dispatch = this.#wrapDispatch(agent);
    this.#proxies.set(proxy, dispatch);
    return dispatch;
  }

  /**
   * Throws OUTBOUND_BLOCKED for a target that must not be reached through a proxy. The proxy resolves the name again and may
   * find another address; a name without an address here is left to it, unless it is a name of private networks.
   */
  async #refuseBlocked(target: Target): Promise<void> {
    const { isAllowed, isNamedByOperator } = this.#options;
    const addresses = net.isIP(target.host) === 0 ? await this.#lookUpAddresses(target.host) : [target.host];
    const blockedAddress = addresses.find((address) => !isAllowed(target, address));
    if (blockedAddress !== undefined) throw blockedAddressError(target.host, blockedAddress);
    if (addresses.length === 0 && privateNamePattern.test(target.host) && !isNamedByOperator(target)) throw blockedNameError(target.host);
  }

  #lookUpAddresses(host: string): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookupTimeoutMs, []);
      this.#lookup(host, { all: true }, (error, addresses) => {
        clearTimeout(timer);
        resolve(error === null ? addresses.map(({ address }) => address) : []);
      });
    });
  }
}
