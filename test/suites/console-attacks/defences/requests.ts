/** Defences against requests that pages of other origins make a browser send. */
import type { Defence } from './defence.ts';

export const csrfToken: Defence = {
  name: 'the CSRF token',
  file: 'plugins/console/access/csrf.ts',
  replace: ["return method === 'GET' || isEqual(headers[csrfHeader] ?? '', csrf);", 'return isEqual(csrf, csrf);'],
};

export const tokenOfItsSession: Defence = {
  name: 'a CSRF token of its session',
  file: 'plugins/console/access/sessions.ts',
  replace: ["csrf: derivedValue(value, 'csrf')", "csrf: derivedValue('', 'csrf')"],
};

export const fetchMetadata: Defence = {
  name: 'the check of Fetch Metadata',
  file: 'plugins/console/access/csrf.ts',
  replace: ["return ownSites.includes(headers['sec-fetch-site']);", 'return headers !== undefined;'],
};

export const originCheck: Defence = {
  name: 'the check of the Origin',
  file: 'plugins/shared/http/routes/route-server.ts',
  replace: ["const isAccepted = (body === 'json' && isProgram(headers)) ||", "const isAccepted = body !== '' || isProgram(headers) ||"],
};

export const jsonOnly: Defence = {
  name: 'bodies of JSON only',
  file: 'plugins/shared/http/routes/route-body.ts',
  replace: ["if (!type.test(headers['content-type'] ?? '') ||", "if (!/./.test(headers['content-type'] ?? '') ||"],
};

export const writesArePosts: Defence = {
  name: 'the rule that a GET changes nothing',
  file: 'plugins/console/answer-api.ts',
  replace: ["case 'POST logout':", "case 'POST logout':\n    case 'GET logout':"],
};

/** The console has none: the mutant is a server that allows another origin. */
export const noCors: Defence = {
  name: 'the silence about other origins',
  file: 'plugins/console/headers.ts',
  replace: [
    "'cache-control': 'no-store',",
    "'cache-control': 'no-store', 'access-control-allow-origin': 'https://evil.example', 'access-control-allow-credentials': 'true',",
  ],
};

export const noPreflight: Defence = {
  name: 'the refusal of preflights',
  file: 'plugins/shared/http/routes/route-server.ts',
  replace: [
    'if (!methods.some((allowed) => allowed === method))',
    `if (method === 'OPTIONS')
      return {
        status: 204,
        message: '',
        headers: {
          'access-control-allow-origin': String(headers.origin),
          'access-control-allow-credentials': 'true',
          'access-control-allow-headers': 'content-type, x-toolkit-csrf',
        },
      };
    if (!methods.some((allowed) => allowed === method))`,
  ],
};
