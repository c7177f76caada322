import { useFakeTimers } from 'sinon';
import { loopback } from '../../../support/loopback.ts';
import type { Script } from '../../../support/oauth/token-server.ts';
import type { Attempt } from './attempt.ts';
import { byLink } from './doors.ts';

const planted = 'planted-access-token';
const html = { 'content-type': 'text/html' };

const answers: readonly { readonly attempt: string; readonly script: Script; readonly says: string }[] = [
  {
    attempt: '10 MB',
    script: { answer: { body: `{"access_token":"${planted}${'a'.repeat(10_000_000)}"}` } },
    says: 'it has more than 1048576 bytes',
  },
  { attempt: 'HTML', script: { answer: { headers: html, body: `<p>${planted}</p>` } }, says: 'expected a JSON object, received HTML' },
  {
    attempt: 'fewer scopes than were asked for',
    script: { change: (answer) => ({ ...answer, scope: 'read' }) },
    says: 'not granted: write',
  },
  {
    attempt: 'a token with a line end',
    script: { answer: { body: { access_token: `${planted}\r\nx-admin: yes` } } },
    says: 'as one word',
  },
  { attempt: 'a cut connection', script: 'lose', says: 'got no usable answer' },
];

/** Token addresses that answer the exchange of a code. */
export const tokenEndpointAttempts: readonly Attempt[] = [
  ...answers.map(({ attempt, script, says }) => ({
    attempt: `${attempt} for an answer of the token address`,
    says,
    run: async (site: Parameters<Attempt['run']>[0]) => {
      site.secrets.push(planted);
      site.server.next(script);
      await byLink(site, (address, { server }) => server.authorize(address), { scopes: ['read', 'write'] });
    },
  })),
  {
    attempt: 'a redirect of the token address to a private host',
    says: 'a redirect is not followed',
    run: async (site) => {
      const inside = await loopback((_request, response) => response.end());
      site.server.next({ answer: { status: 307, headers: { location: `${inside.url}/admin` }, body: '' } });
      await byLink(site, (address, { server }) => server.authorize(address));
      if (inside.requests.length > 0) throw new Error('the redirect was followed');
    },
  },
  {
    attempt: 'one byte a second for an answer of the token address',
    says: 'it was not complete within 15 s',
    run: async (site) => {
      const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
      try {
        let byte = (): void => {};
        const respond = (response: { write(text: string): unknown; writeHead(status: number): unknown }): void => {
          response.writeHead(200);
          byte = () => response.write(' ');
          byte();
          begun();
        };
        let begun = (): void => {};
        const isBegun = new Promise<void>((resolve) => {
          begun = resolve;
        });
        site.server.next({ respond });
        const login = byLink(site, (address, { server }) => server.authorize(address));
        await isBegun;
        for (let second = 0; second < 16; second++) {
          byte();
          clock.tick(1000);
        }
        await login;
      } finally {
        clock.restore();
      }
    },
  },
];
