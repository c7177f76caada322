import type { IncomingMessage } from 'node:http';
import { parseUrl } from '../../../kernel/index.ts';
import { anyOf } from '../exposure/wildcard.ts';
import type { RequestRefusal } from './refusal.ts';

/** Hosts of this machine, in the form of URLs. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const twoHosts: RequestRefusal = { status: 400, message: 'The request has more than one Host header (RFC 9112, 3.2).' };

/** Checks Host against DNS rebinding: it must be loopback or listed. Pages check the Origin themselves. */
export class HostCheck {
  readonly #isHost: (name: string) => boolean;
  /** Last allowed Host header: clients send the same one with each request. */
  #knownHost: string | undefined;

  /** `allowedHosts`: host names beside loopback; `*` stands for any characters. */
  constructor(allowedHosts: readonly string[]) {
    this.#isHost = anyOf([...loopbackHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
  }

  /** Returns the refusal of a request; undefined for one that may continue. */
  check({ rawHeaders, url, headers: { host } }: IncomingMessage): RequestRefusal | undefined {
    const repeated = checkSingleHost(rawHeaders);
    if (repeated !== undefined) return repeated;
    // RFC 9112, 3.2.2: a target in absolute form overrides the header.
    const named = absoluteTarget(url)?.host ?? host ?? '';
    if (named !== this.#knownHost) {
      const name = hostName(named);
      if (!this.#isHost(name))
        return {
          status: 403,
          reason: 'host',
          message: `Host "${(name === '' ? (host ?? '') : name).slice(0, 100)}" is not allowed. Add it to allowedHosts.`,
        };
      this.#knownHost = named;
    }
    return undefined;
  }
}

/** Refuses a request with two Host headers, of which a proxy may have read the other one. */
export function checkSingleHost(rawHeaders: readonly string[]): RequestRefusal | undefined {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1 ? twoHosts : undefined;
}

/** Returns the host of a Host header without its port, in the form of URLs; empty for text that is none. */
export function hostName(host: string): string {
  return /[/?#@\\\s*]/.test(host) ? '' : (parseUrl(`http://${host}`)?.hostname ?? '');
}

/** Returns the path of a request target, without the query and still encoded. */
export function pathOf(target: string | undefined): string {
  return absoluteTarget(target)?.pathname ?? (target ?? '/').split('?', 1)[0] ?? '/';
}

/** Returns a request target in absolute form as a URL; undefined for a path. */
function absoluteTarget(target: string | undefined): URL | undefined {
  return target !== undefined && /^https?:\/\//i.test(target) ? parseUrl(target) : undefined;
}
