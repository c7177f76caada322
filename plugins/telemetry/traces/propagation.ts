/** The hosts that are told their place in the trace. */
export class Propagation {
  readonly #hosts: ReadonlySet<string>;

  /** `hosts`: names, `*.example.com` for subdomains, `loopback` for this machine, `workers` for the code and programs of tools. */
  constructor(hosts: readonly string[]) {
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()));
  }

  includes(receiver: URL | 'workers'): boolean {
    if (receiver === 'workers') return this.#hosts.has(receiver);
    const { hostname } = receiver;
    if (this.#hosts.has(hostname) || (this.#hosts.has('loopback') && isLoopback(hostname))) return true;
    return [...this.#hosts].some((host) => host.startsWith('*.') && hostname.endsWith(host.slice(1)));
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
