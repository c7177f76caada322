import { cookiesOf } from '../../../plugins/console/request.ts';
import type { Attack, Outcome } from '../attack.ts';
import { countedFirst, limit, limitOfAddress, limitOverAll, sharedCount, socketAddress } from '../defences/sessions.ts';
import { isSignedIn, type Site, sendCode, type Target } from '../target.ts';

const wrong = 'f'.repeat(26);

/** Guesses of the code: the last one is right, and must not count any more. Each attack has addresses of its own. */
export const bruteForce: readonly Attack[] = [
  {
    kind: 'brute-force',
    name: 'guesses an eleventh time in a minute',
    request: 'POST /console/login with 10 wrong codes, then with the right one',
    expected: 429,
    defence: limit,
    run: guesses(async (target, site) => {
      for (let count = 0; count < 10; count++) await sendCode(site, wrong, { from: '127.0.1.1' });
      return sendCode(site, await target.code(site), { from: '127.0.1.1' });
    }),
  },
  {
    kind: 'brute-force',
    name: 'guesses with codes that have not even the form of one',
    request: 'POST /console/login with 10 texts, then with the right code',
    expected: 429,
    defence: limit,
    run: guesses(async (target, site) => {
      for (let count = 0; count < 10; count++) await sendCode(site, `${count}`, { from: '127.0.1.2' });
      return sendCode(site, await target.code(site), { from: '127.0.1.2' });
    }),
  },
  {
    kind: 'brute-force',
    name: 'guesses under many names of a proxy',
    request: 'POST /console/login 10 times with other X-Forwarded-For, then with the right code',
    expected: 429,
    defence: socketAddress,
    run: guesses(async (target, site) => {
      const by = (count: number) => ({ from: '127.0.1.3', headers: { 'x-forwarded-for': `10.0.0.${count}` } });
      for (let count = 0; count < 10; count++) await sendCode(site, wrong, by(count));
      return sendCode(site, await target.code(site), by(10));
    }),
  },
  {
    kind: 'brute-force',
    name: 'guesses from many addresses',
    request: 'POST /console/login with 10 wrong codes from each of 10 addresses, then with the right one from another',
    expected: 429,
    defence: limitOverAll,
    run: guesses(async (target, site) => {
      for (let address = 1; address <= 10; address++)
        for (let count = 0; count < 10; count++) await sendCode(site, wrong, { from: `127.0.2.${address}` });
      return sendCode(site, await target.code(site), { from: '127.0.2.11' });
    }),
  },
  {
    kind: 'brute-force',
    name: 'guesses at two servers of one store',
    request: 'POST /console/login with 10 wrong codes at one server, then with the right one at the other',
    expected: 429,
    defence: sharedCount,
    run: guesses(async (target, site) => {
      for (let count = 0; count < 10; count++) await sendCode(site, wrong, { from: '127.0.1.4' });
      return sendCode(await target.site('own'), await target.code(site), { from: '127.0.1.4' });
    }),
  },
  {
    kind: 'brute-force',
    name: 'guesses thirty times at once',
    request: 'POST /console/login with 30 wrong codes at the same time',
    expected: 10,
    defence: countedFirst,
    async run(target) {
      const site = await target.site();
      const answers = await Promise.all(Array.from({ length: 30 }, () => sendCode(site, wrong, { from: '127.0.1.5' })));
      await target.shift(61_000);
      const judged = answers.filter(({ status }) => status === 401).length;
      return { succeeded: judged > 10, seen: judged };
    },
  },
  {
    kind: 'brute-force',
    name: 'locks the operator out by guesses from one address',
    request: 'POST /console/login with 110 wrong codes, then with the right one from the address of the operator',
    expected: 303,
    defence: limitOfAddress,
    async run(target) {
      const site = await target.site();
      for (let count = 0; count < 110; count++) await sendCode(site, wrong, { from: '127.0.1.6' });
      const { status } = await sendCode(site, await target.code(site));
      await target.shift(61_000);
      return { succeeded: status !== 303, seen: status };
    },
  },
];

/** Makes guesses, of which the last one is right, and goes on a minute later. */
function guesses(run: (target: Target, site: Site) => ReturnType<typeof sendCode>): (target: Target) => Promise<Outcome> {
  return async (target) => {
    const site = await target.site();
    try {
      const answer = await run(target, site);
      return { succeeded: await isSignedIn(site, cookiesOf(answer)), seen: answer.status };
    } finally {
      await target.shift(61_000);
    }
  };
}
