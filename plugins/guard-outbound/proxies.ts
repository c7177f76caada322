import net from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl, ToolkitError } from '../../kernel/index.ts';
import { HostList, parseHostEntry, type Target } from './host-list.ts';

export interface ProxyServer {
  /** Scheme, host and port, without credentials. */
  readonly url: string;
  /** The Proxy-Authorization (RFC 7617). */
  readonly authorization?: string;
  /** The credentials in all their forms, to be masked. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses the proxy of a request from the environment: HTTPS_PROXY for https, HTTP_PROXY for http, and NO_PROXY for hosts that
 * are reached directly (names with their subdomains, addresses, CIDR ranges, each with or without a port, or `*`). A
 * lower-case variable comes before an upper-case one. This machine is never reached through a proxy, where the same address
 * means another machine.
 */
export class Proxies {
  readonly #variables: ReadonlyMap<string, { readonly name: string; readonly proxy: ProxyServer | undefined }>;
  readonly #direct: HostList | 'everything';

  constructor(env: Environment) {
    const variables = ['http', 'https'].flatMap((scheme) => {
      const [name, value] = readVariable(env, `${scheme}_proxy`);
      return value === '' ? [] : [[`${scheme}:`, { name, proxy: parseProxy(value) }] as const];
    });
    this.#variables = new Map(variables);
    this.#direct = parseNoProxy(readVariable(env, 'no_proxy')[1]);
  }

  get isEmpty(): boolean {
    return this.#variables.size === 0;
  }

  get secrets(): string[] {
    return [...this.#variables.values()].flatMap(({ proxy }) => proxy?.secrets ?? []);
  }

  /**
   * Returns the proxy for a request; undefined: the request goes directly to the host. Throws CONFIG_INVALID where the variable
   * cannot be used.
   */
  of(protocol: string, target: Target): ProxyServer | undefined {
    const found = this.#variables.get(protocol);
    if (found === undefined || isThisMachine(target.host) || this.#direct === 'everything' || this.#direct.has(target)) return undefined;
    if (found.proxy !== undefined) return found.proxy;
    const message = `The environment variable ${found.name} cannot be used: expected the address of a proxy such as http://proxy.example:3128 or https://proxy.example. Correct it, or take it away for requests without a proxy.`;
    throw new ToolkitError('CONFIG_INVALID', message, { variable: found.name });
  }
}

function readVariable(env: Environment, name: string): [name: string, value: string] {
  const lower = env[name]?.trim() ?? '';
  return lower === '' ? [name.toUpperCase(), env[name.toUpperCase()]?.trim() ?? ''] : [name, lower];
}

function parseProxy(value: string): ProxyServer | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return undefined;
  const { origin, username, password } = url;
  if (username === '' && password === '') return { url: origin, secrets: [] };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    return { url: origin, authorization, secrets: [pair, decodeURIComponent(password), password].filter((secret) => secret !== '') };
  } catch {
    // A "%" that begins no byte.
    return undefined;
  }
}

/** Parses NO_PROXY as curl and undici do: `.example.com`, `*.example.com` and `example.com` all mean the name and its subdomains. */
function parseNoProxy(value: string): HostList | 'everything' {
  const entries = value.split(/[,\s]+/).filter((entry) => entry !== '');
  if (entries.includes('*')) return 'everything';
  const bare = entries.map((entry) => entry.replace(/^\*?\./, ''));
  // An entry that cannot be parsed is ignored: such a host goes through the proxy.
  return new HostList(bare.flatMap((entry) => [entry, `*.${entry}`].map(parseHostEntry)).filter((entry) => entry !== undefined));
}

function isThisMachine(host: string): boolean {
  if (net.isIP(host) !== 0) return ipaddr.process(host).range() === 'loopback';
  return /(^|\.)localhost\.?$/.test(host);
}
