import type { Cookie } from 'undici';

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly isSecure: boolean;
}

/** Maximum cookies of one host in one chain of redirects. Browsers keep fifty and more (RFC 6265, 6.1). */
const maxCookies = 100;

/**
 * Cookies of one chain of redirects (RFC 6265). They are sent back only in that chain and only to the host that set them, even where
 * `Domain` would allow more, by `Path` and `Secure`. Another port is another host, except that http and https at their default ports are
 * one.
 */
export class RedirectCookies {
  #cookies: readonly StoredCookie[] = [];

  /** Stores the cookies that a response sets. Returns those of their values that must be masked as secrets. */
  async take(url: URL, headers: Headers): Promise<readonly string[]> {
    if (!headers.has('set-cookie')) return [];
    const { getSetCookies } = await import('undici');
    // Gives null for a line that is no cookie.
    return this.add(
      url,
      (getSetCookies(headers as never) as (Cookie | null)[]).flatMap((cookie) => cookie ?? []),
    );
  }

  /** Stores cookies that are parsed already. */
  add(url: URL, cookies: readonly Cookie[]): readonly string[] {
    const set = cookies.filter((cookie) => isTaken(cookie, url));
    const host = hostOf(url);
    for (const cookie of set) {
      const path = cookie.path?.startsWith('/') === true ? cookie.path : defaultPath(url);
      const others = this.#cookies.filter((held) => held.name !== cookie.name || held.host !== host || held.path !== path);
      const held = { name: cookie.name, value: cookie.value, host, path, isSecure: cookie.secure === true };
      this.#cookies = isOver(cookie) ? others : [...others, held].slice(-maxCookies);
    }
    return set.map(({ value }) => value).filter(isTokenLike);
  }

  /**
   * Returns the Cookie header of a request, or undefined. `own`: the request's own header; stored cookies replace its pairs of the same
   * name.
   */
  headerFor(url: URL, own?: string | null): string | undefined {
    const sent = this.#cookies
      .filter((held) => held.host === hostOf(url) && isBelow(url.pathname, held.path) && (!held.isSecure || url.protocol === 'https:'))
      // RFC 6265, 5.4: longer paths first.
      .toSorted((one, other) => other.path.length - one.path.length);
    const pairs = (own ?? '').split(';').map((pair) => pair.trim());
    const kept = pairs.filter((pair) => pair !== '' && !sent.some(({ name }) => pair.startsWith(`${name}=`)));
    const all = [...kept, ...sent.map(({ name, value }) => (name === '' ? value : `${name}=${value}`))];
    return all.length === 0 ? undefined : all.join('; ');
  }
}

/**
 * True for a cookie that this response may set: not for a foreign domain (RFC 6265, 5.3); with a prefix or `Secure`, only over https (RFC
 * 6265bis, 5.7).
 */
function isTaken({ name, domain, secure, path }: Cookie, { hostname, protocol }: URL): boolean {
  const isOwnDomain = domain === undefined || domain === '' || hostname === domain || hostname.endsWith(`.${domain}`);
  if (!isOwnDomain || (secure === true && protocol !== 'https:')) return false;
  if (/^__host-/i.test(name)) return secure === true && path === '/' && domain === undefined;
  return !/^__secure-/i.test(name) || secure === true;
}

function isOver({ maxAge, expires }: Cookie): boolean {
  if (maxAge !== undefined) return maxAge <= 0;
  return expires !== undefined && Number(expires) <= Date.now();
}

function hostOf({ hostname, port }: URL): string {
  return `${hostname}:${port}`;
}

/** Returns the default path of a cookie (RFC 6265, 5.1.4). */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (folder.endsWith('/') || path[folder.length] === '/'));
}

/** True for a value that could be a secret. Words such as "accepted" occur in pages too. */
function isTokenLike(value: string): boolean {
  return value.length >= 8 && !/^([a-z]*|\d*)$/i.test(value);
}
