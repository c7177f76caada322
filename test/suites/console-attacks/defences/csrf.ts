import type { Defence } from './defence.ts';

export const csrfToken: Defence = {
  name: 'the CSRF token',
  file: 'plugins/console/access/csrf.ts',
  replace: ["method === 'GET' || isEqual(headers[csrfHeader] ?? '', csrf)", "method !== '' || isEqual(headers[csrfHeader] ?? '', csrf)"],
};
