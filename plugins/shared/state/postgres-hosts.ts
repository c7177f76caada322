import { parseUrl } from '../../../kernel/index.ts';

/**
 * The servers of a URL such as `postgresql://user:password@one:5432,two:5432/database`, as libpq reads it: one of them writes, the others may be
 * its standbys. The one in use is tried first, then the next.
 */
export class PostgresHosts {
  readonly #urls: readonly string[];
  #index = 0;

  /** `url`: one that `urlsOfHosts` takes apart. */
  constructor(url: string) {
    this.#urls = urlsOfHosts(url);
  }

  get count(): number {
    return this.#urls.length;
  }

  /** URL of the server in use. */
  get current(): string {
    return this.#urls[this.#index] ?? '';
  }

  /** Goes on to the next server, unless another caller has left this one already. */
  leave(url: string): void {
    if (url === this.current) this.#index = (this.#index + 1) % this.#urls.length;
  }
}

/** Returns a URL for each host of the list in a URL, with the same user, password, database and parameters. */
export function urlsOfHosts(url: string): readonly string[] {
  const [, scheme = '', authority = '', rest = ''] = /^([^:/?#]+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const hostsAt = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(hostsAt).split(',');
  return hosts.length === 1 ? [url] : hosts.map((host) => `${scheme}${authority.slice(0, hostsAt)}${host}${rest}`);
}

/** Returns true for a URL of PostgreSQL in which each host of the list can be read. */
export function isPostgresUrl(url: string): boolean {
  return urlsOfHosts(url).every((one) => /^postgres(ql)?:$/.test(parseUrl(one)?.protocol ?? ''));
}
