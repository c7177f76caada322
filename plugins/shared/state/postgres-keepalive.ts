/** Settings with which the server notices within eight seconds that packets of a connection vanish, and ends it. */
const keepalive = {
  tcp_keepalives_idle: 2,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 8000,
} as const;

/** SQL that gives a connection these settings. */
export const setKeepalive = Object.entries(keepalive)
  .map(([name, value]) => `set ${name} = ${value}`)
  .join('; ');

/** The settings as options of a new connection. */
export const keepaliveOptions = Object.entries(keepalive)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');
