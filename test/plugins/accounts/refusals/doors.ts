import { ToolkitError } from '../../../../kernel/index.ts';
import { loopbackLogin } from '../../../../plugins/accounts/login/loopback-login.ts';
import { get } from '../login/get.ts';
import { ada, holder, type RefusalSite } from './refusal-site.ts';

/** The person, or the attacker, at the browser: returns the redirects to go to, in order, for the address of a login. */
export type Person = (address: string, site: RefusalSite) => URL | readonly URL[] | Promise<URL | readonly URL[]>;

export interface DoorOptions {
  /** @default 'acme' */
  readonly provider?: string;
  readonly scopes?: readonly string[];
}

/** A way in which a redirect comes back. */
export type Door = (site: RefusalSite, person: Person, options?: DoorOptions) => Promise<void>;

/** The pages of a login by link. */
export const byLink: Door = async (site, person, { provider = 'acme', scopes = ['read'] } = {}) => {
  const browser = site.browser();
  const address = await browser.goOn(await site.link({ ...ada, provider }, scopes));
  for (const redirect of listOf(await person(address, site))) await browser.open(redirect.href);
};

/** The listener of `auth login` on this machine. */
export const byListener: Door = async (site, person, { provider = 'acme', scopes = ['read'] } = {}) => {
  const client = await site.accounts.client(provider);
  const owner = await site.accounts.ownerOf({ ...holder, provider });
  const ended = new AbortController();
  let visits: Promise<unknown> = Promise.resolve();
  const visit = async (address: string): Promise<void> => {
    for (const redirect of listOf(await person(address, site))) site.answers.push(await seen(redirect));
    ended.abort(new ToolkitError('ABORTED', 'The test ends the login.'));
  };
  const login = loopbackLogin(client, {
    scopes,
    show: async (address) => {
      visits = visit(address);
    },
    store: async (tokens) => {
      await site.accounts.save(owner, tokens, scopes);
      return 'Connected.';
    },
    signal: ended.signal,
  });
  await login.catch((error: unknown) => site.answers.push(String(error)));
  await visits;
};

async function seen(redirect: URL): Promise<string> {
  try {
    const { status, body, headers } = await get(redirect.origin, `${redirect.pathname}${redirect.search}`);
    return `${status} ${body} ${JSON.stringify(headers)}`;
  } catch (error) {
    return `no answer: ${String(error)}`;
  }
}

function listOf(redirects: URL | readonly URL[]): readonly URL[] {
  return redirects instanceof URL ? [redirects] : redirects;
}
