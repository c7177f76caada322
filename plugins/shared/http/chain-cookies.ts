import type { Cookie } from 'undici';

interface Held {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly isSecure: boolean;
}

/** Cookies of one host in one chain; browsers keep fifty and more (RFC 6265, 6.1). */
const maxCookies = 100;

/**
 * The cookies that one chain of redirects sets (RFC 6265), sent back in that chain alone: to the host that set them and never to another one, also where
 * `Domain` would allow it, by `Path` and `Secure`. Another port is another host, save that http and https at their default ports are one.
 */
export class ChainCookies {
  #held: readonly Held[] = [];

  /** Takes up what an answer sets, and gives the values that are secrets of the chain. */
  async take(url: URL, headers: Headers): Promise<readonly string[]> {
    if (!headers.has('set-cookie')) return [];
    const { getSetCookies } = await import('undici');
    // Of a line that is none it gives null.
    return this.add(
      url,
      (getSetCookies(headers as never) as (Cookie | null)[]).flatMap((cookie) => cookie ?? []),
    );
  }

  /** The same with cookies that were parsed. */
  add(url: URL, cookies: readonly Cookie[]): readonly string[] {
    const set = cookies.filter((cookie) => isTaken(cookie, url));
    const host = hostOf(url);
    for (const cookie of set) {
      const path = cookie.path?.startsWith('/') === true ? cookie.path : defaultPath(url);
      const others = this.#held.filter((held) => held.name !== cookie.name || held.host !== host || held.path !== path);
      const held = { name: cookie.name, value: cookie.value, host, path, isSecure: cookie.secure === true };
      this.#held = isOver(cookie) ? others : [...others, held].slice(-maxCookies);
    }
    return set.map(({ value }) => value).filter(isTokenLike);
  }

  /** The value of the Cookie header for a request: that of `own`, which it would have without, and the cookies in place of pairs of their name. Undefined for none. */
  headerFor(url: URL, own?: string | null): string | undefined {
    const sent = this.#held
      .filter((held) => held.host === hostOf(url) && isBelow(url.pathname, held.path) && (!held.isSecure || url.protocol === 'https:'))
      // RFC 6265, 5.4: longer paths first.
      .toSorted((one, other) => other.path.length - one.path.length);
    const pairs = (own ?? '').split(';').map((pair) => pair.trim());
    const kept = pairs.filter((pair) => pair !== '' && !sent.some(({ name }) => pair.startsWith(`${name}=`)));
    const all = [...kept, ...sent.map(({ name, value }) => (name === '' ? value : `${name}=${value}`))];
    return all.length === 0 ? undefined : all.join('; ');
  }
}

/** RFC 6265, 5.3: not for a domain that the host does not belong to. One with a prefix, or `Secure`, comes over https alone (RFC 6265bis, 5.7). */
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

/** RFC 6265, 5.1.4. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (folder.endsWith('/') || path[folder.length] === '/'));
}

/** Words such as "accepted" stand in pages as well, and are no secret. */
function isTokenLike(value: string): boolean {
  return value.length >= 8 && !/^([a-z]*|\d*)$/i.test(value);
}
