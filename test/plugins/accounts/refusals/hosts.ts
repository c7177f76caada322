import { get } from '../login/get.ts';
import type { Attempt } from './attempt.ts';
import { byListener } from './doors.ts';

const requests: readonly {
  readonly attempt: string;
  readonly host?: string;
  readonly target: (path: string) => string;
  readonly says: string;
}[] = [
  { attempt: 'a foreign Host', host: 'attacker.example', target: (path) => path, says: '421' },
  { attempt: 'the name localhost', host: 'localhost', target: (path) => path, says: 'answers under its own name alone' },
  { attempt: 'the target of another origin', target: (path) => `http://attacker.example${path}`, says: '404' },
  { attempt: 'a target with two slashes', target: (path) => `//attacker.example${path}`, says: 'no such page' },
];

/** Requests to the listener of a login that are not for it. */
export const hostAttempts: readonly Attempt[] = requests.map(({ attempt, host, target, says }) => ({
  attempt: `${attempt} at the listener of a login`,
  says,
  run: (site) =>
    byListener(site, async (address, { server, answers }) => {
      const { origin, pathname, search } = server.authorize(address);
      const { status, body, headers } = await get(origin, target(`${pathname}${search}`), host === undefined ? {} : { host });
      answers.push(`${status} ${body} ${JSON.stringify(headers)}`);
      return [];
    }),
}));
