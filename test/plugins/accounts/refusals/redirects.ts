import type { Attempt } from './attempt.ts';
import { byLink, byListener, type Door, type DoorOptions, type Person } from './doors.ts';
import { type RefusalSite, refusalSite } from './refusal-site.ts';

interface RedirectAttempt extends DoorOptions {
  readonly attempt: string;
  readonly person: Person;
  /** Words of the answer of the pages of a link. */
  readonly says: string;
  /** Words of the answer of the listener of `auth login`. @default those of the pages */
  readonly listener?: string;
  readonly leaves?: number;
}

const noLogin = { says: 'belongs to no login', listener: 'belongs to another login' };
const usedCode = { says: 'refused: invalid_grant' };

/** Returns the redirect of an honest login with other parameters. */
function changed(change: (parameters: URLSearchParams) => void): Person {
  return (address, { server }) => {
    const redirect = server.authorize(address);
    change(redirect.searchParams);
    return redirect;
  };
}

/** Logs in at an address that the attacker has changed on its way to the browser. */
function atChanged(change: (parameters: URLSearchParams) => void): Person {
  return (address, { server }) => {
    const url = new URL(address);
    change(url.searchParams);
    return server.authorize(url.href);
  };
}

const attempts: readonly RedirectAttempt[] = [
  { attempt: 'a wrong state', person: changed((to) => to.set('state', 'A'.repeat(22))), ...noLogin },
  { attempt: 'no state', person: changed((to) => to.delete('state')), ...noLogin },
  { attempt: 'a repeated state', person: changed((to) => to.append('state', to.get('state') ?? '')), ...noLogin },
  { attempt: 'a second code', person: changed((to) => to.append('code', 'other')), says: 'twice' },
  { attempt: 'the issuer of another server', person: changed((to) => to.set('iss', 'https://evil.example')), says: 'received another' },
  { attempt: 'an empty issuer', person: changed((to) => to.set('iss', '')), says: 'received another' },
  {
    attempt: 'no issuer where the server announces it',
    provider: 'announcing',
    person: changed((to) => to.delete('iss')),
    says: 'in the redirect, as the server announces it, received none',
  },
  {
    attempt: 'an access token in place of the code',
    person: changed((to) => {
      to.set('access_token', to.get('code') ?? '');
      to.delete('code');
    }),
    says: 'expected a code in the redirect',
  },
  { attempt: 'the code of another client', person: atChanged((to) => to.set('client_id', 'other')), ...usedCode },
  { attempt: 'a login whose challenge was taken away', person: atChanged((to) => to.delete('code_challenge')), ...usedCode },
  {
    attempt: 'a login with the plain challenge of an attacker',
    person: atChanged((to) => {
      to.set('code_challenge', 'known-to-the-attacker');
      to.set('code_challenge_method', 'plain');
    }),
    ...usedCode,
  },
  {
    attempt: 'a refusal with markup',
    person: changed((to) => {
      to.delete('code');
      to.set('error', 'access_denied');
      to.set('error_description', '<script>alert(1)</script>');
    }),
    says: 'access_denied (&lt;script&gt;',
    listener: String.raw`access_denied (\u003cscript&gt;`,
  },
  {
    attempt: 'a redirect twice',
    person: (address, { server }) => {
      const redirect = server.authorize(address);
      return [redirect, redirect];
    },
    // The same browser sees how the login ended: phones load a page again by themselves. The code goes to the provider once.
    says: 'Account connected',
    listener: 'no answer',
    leaves: 1,
  },
  {
    attempt: 'a login of another process',
    person: async (address, site) => elsewhere(site, address),
    ...noLogin,
  },
];

/** Returns the redirect of a login that another process has begun, sent to this one. */
async function elsewhere(site: RefusalSite, address: string): Promise<URL> {
  const other = await refusalSite();
  let theirs = new URL(address);
  await byLink(other, (begun) => {
    theirs = other.server.authorize(begun);
    return [];
  });
  site.secrets.push(...other.server.issued);
  const redirect = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
  redirect.search = theirs.search;
  return redirect;
}

const doors: readonly (readonly [string, Door])[] = [
  ['the pages of a link', byLink],
  ['the listener of a login', byListener],
];

/** Redirects of a provider, to both places that take them. */
export const redirectAttempts: readonly Attempt[] = doors.flatMap(([name, door]) =>
  attempts.map(({ attempt, person, says, listener = says, leaves = 0, ...options }) => ({
    attempt: `${attempt}, to ${name}`,
    says: door === byLink ? says : listener,
    leaves,
    run: (site: RefusalSite) => door(site, person, options),
  })),
);

/** The code of an earlier login, in a new one. */
export const replayAttempts: readonly Attempt[] = doors.map(([name, door]) => ({
  attempt: `the code of an earlier login, to ${name}`,
  says: 'refused: invalid_grant',
  leaves: 1,
  run: async (site) => {
    let code = '';
    await door(site, (address, { server }) => {
      const redirect = server.authorize(address);
      code = redirect.searchParams.get('code') ?? '';
      return redirect;
    });
    await door(site, (address, { server }) => {
      const redirect = server.authorize(address);
      redirect.searchParams.set('code', code);
      return redirect;
    });
  },
}));
