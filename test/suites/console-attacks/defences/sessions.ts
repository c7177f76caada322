/** Defences of sessions, codes and cookies. */
import type { Defence } from './defence.ts';

/** The value of a session is the server's: in two files, so two changes. */
export const ownValues: readonly Defence[] = [
  {
    name: 'a new value at each login',
    file: 'plugins/console/access/session-cookie.ts',
    replace: [
      'const value = await sessions.begin(person);',
      'const value = await sessions.begin(person, cookieValues(request, baseUrl(), name)[0]);',
    ],
  },
  {
    name: 'values that the server makes',
    file: 'plugins/console/access/sessions.ts',
    replace: [
      `async begin(name: string): Promise<string> {
    const { state, ttlMs, way, now } = this.#options;
    const value = randomValue();`,
      `async begin(name: string, sent: string): Promise<string> {
    const { state, ttlMs, way, now } = this.#options;
    const value = sent ?? randomValue();`,
    ],
  },
];

export const earlierEnd: Defence = {
  name: 'the end of earlier sessions at a login',
  file: 'plugins/console/access/session-cookie.ts',
  replace: ['await sessions.endAll(cookieValues(request, baseUrl(), name));', ''],
};

export const hostCookies: Defence = {
  name: 'cookies that no other host can plant',
  file: 'plugins/console/access/cookies.ts',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of the console
  replace: ['return isHttps(baseUrl) ? `__Host-${name}` : name;', 'return name;'],
};

export const manyValues: Defence = {
  name: 'a look at many cookies',
  file: 'plugins/console/access/cookies.ts',
  replace: ['const maxValues = 20;', 'const maxValues = 4;'],
};

export const codesOnce: Defence = {
  name: 'codes that count once',
  file: 'plugins/console/access/codes.ts',
  replace: [
    'return this.#state.compareAndSet(keyOf(code), unused, undefined);',
    'return this.#state.get(keyOf(code)).then((value) => value === unused);',
  ],
};

/** Returns a step that waits until so many requests have come to it. A store beyond the network takes its time there, in which they come. */
const together = (count: number): string => `await new Promise((resolve) => {
      const waiting = (globalThis.waiting ??= []);
      waiting.push(resolve);
      if (waiting.length >= ${count}) for (const go of waiting) go();
    });`;

/** The mutant lets two look before one of them consumes. */
export const oneStep: Defence = {
  name: 'one step that looks and consumes',
  file: 'plugins/console/access/codes.ts',
  replace: [
    'return this.#state.compareAndSet(keyOf(code), unused, undefined);',
    `return this.#state.get(keyOf(code)).then(async (value) => {
      ${together(2)}
      await this.#state.set(keyOf(code), 'used');
      return value === unused;
    });`,
  ],
};

export const codeTime: Defence = {
  name: 'the ten minutes of a code',
  file: 'plugins/console/access/codes.ts',
  replace: ['unused, { ttlMs: codeTtlMs }', 'unused, { ttlMs: 100 * codeTtlMs }'],
};

export const logoutEnds: Defence = {
  name: 'the end of a session at its logout',
  file: 'plugins/console/access/session-cookie.ts',
  replace: ['await sessions.end(session);', ''],
};

/** The store forgets a session, and its record says until when it counts: each of them suffices. */
export const sessionTime: readonly Defence[] = [
  {
    name: 'the time of a session in the store',
    file: 'plugins/console/access/sessions.ts',
    replace: ['expiresAt: now() + ttlMs }), { ttlMs });', 'expiresAt: now() + ttlMs }));'],
  },
  {
    name: 'the time of a session in its record',
    file: 'plugins/console/access/sessions.ts',
    replace: [" || record['way'] !== way || expiresAt <= now()) return undefined;", " || record['way'] !== way) return undefined;"],
  },
];

export const limit: Defence = {
  name: 'the limit of wrong codes',
  file: 'plugins/console/access/code-login.ts',
  replace: ['if (waitMs !== undefined) return this.#tooMany(address, waitMs);', 'if (waitMs === 0) return this.#tooMany(address, waitMs);'],
};

export const limitOverAll: Defence = {
  name: 'the limit over all addresses',
  file: 'plugins/console/access/attempts.ts',
  replace: ['await this.#add(this.#keyOf(undefined), this.#limits.overAll)', 'undefined'],
};

export const limitOfAddress: Defence = {
  name: 'the limit of an address before that of all',
  file: 'plugins/console/access/attempts.ts',
  replace: ['(await this.#add(this.#keyOf(address), this.#limits.ofAddress)) ??', ''],
};

export const socketAddress: Defence = {
  name: 'the address of the connection',
  file: 'plugins/console/access/code-login.ts',
  replace: [
    'const { address, form } = request;',
    "const { form } = request;\n    const address = request.headers['x-forwarded-for'] ?? request.address;",
  ],
};

/** The mutant counts a wrong code when it is known to be wrong: more of them than it allows come before. */
export const countedFirst: Defence = {
  name: 'the count before the check',
  file: 'plugins/console/access/code-login.ts',
  replace: [
    'const waitMs = await attempts.count(address);',
    `const wrong = (globalThis.wrongCodes ??= new Map());
    const waitMs = (wrong.get(address) ?? 0) >= 10 ? 60_000 : undefined;
    ${together(11)}
    wrong.set(address, (wrong.get(address) ?? 0) + 1);`,
  ],
};

export const sharedCount: Defence = {
  name: 'the count over all processes',
  file: 'plugins/console/access/attempts.ts',
  replace: [
    'this.#state = state;',
    `const counts = new Map();
    this.#state = {
      increment: async (key, { limit }) => {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return { isCounted: counts.get(key) <= limit, endsInMs: 60_000 };
      },
      delete: async (key) => counts.delete(key),
    };`,
  ],
};
