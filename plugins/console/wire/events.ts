/**
 * Events of `GET /console/api/events` (server-sent events). Their data is empty: the page reads again what has changed. `session`: the session has
 * ended, and the page shows the login.
 */
export const consoleEvents = ['approvals', 'calls', 'tools', 'sources', 'session'] as const;

export type ConsoleEvent = (typeof consoleEvents)[number];
