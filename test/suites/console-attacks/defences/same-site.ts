import type { Defence } from './defence.ts';

/** Browsers of today take a missing attribute as `Lax`. On loopback they take `Secure` without https. */
export const sameSiteCookie: Defence = {
  name: 'SameSite of the cookie',
  file: 'plugins/console/access/session-cookie.ts',
  replace: ["maxAgeS: sessions.maxAgeS, sameSite: 'Strict'", "maxAgeS: sessions.maxAgeS, sameSite: 'None; Secure'"],
};
