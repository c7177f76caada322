import { type Answer, ask, askRaw, cookiesOf, jsonOf } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import { absoluteTarget, hostCheck, noForwardedHost, oneHost, wholeHost } from '../defences/paths.ts';
import type { SiteKind } from '../server/server-messages.ts';
import { sendCode } from '../target.ts';

interface HostAttack extends Pick<Attack, 'name' | 'request' | 'expected' | 'defence'> {
  /** @default 'mcp' */
  readonly site?: SiteKind;
  /** Reads the overview with the operator's cookie. */
  read(port: number, cookie: string): Promise<Answer>;
}

/**
 * Requests with the Host of another server. A page whose name resolves to this machine after it was loaded (DNS rebinding) is of one origin with what it
 * reads, so no browser stops it; it has the cookies of its own name alone, and here the operator's, which is more.
 */
export const hosts: readonly Attack[] = [
  ...(['mcp', 'own'] as const).flatMap((site) => {
    const where = site === 'mcp' ? 'the MCP server' : 'its own listener';
    return [
      reads({
        site,
        name: `reads by a name that resolves to this machine, at ${where}`,
        request: `GET /console/api/overview with Host: evil.example:{port}, at ${where}`,
        expected: 403,
        defence: hostCheck,
        read: (port, cookie) => ask(port, '/console/api/overview', { headers: { host: `evil.example:${port}`, cookie } }),
      }),
      reads({
        site,
        name: `reads by a name that begins like one of this machine, at ${where}`,
        request: `GET /console/api/overview with Host: localhost.evil.example, at ${where}`,
        expected: 403,
        defence: wholeHost,
        read: (port, cookie) => ask(port, '/console/api/overview', { headers: { host: 'localhost.evil.example', cookie } }),
      }),
    ];
  }),
  reads({
    name: 'reads with the name of this machine as the user of the address',
    request: 'GET /console/api/overview with Host: 127.0.0.1@evil.example',
    expected: 403,
    defence: wholeHost,
    read: (port, cookie) => ask(port, '/console/api/overview', { headers: { host: '127.0.0.1@evil.example', cookie } }),
  }),
  reads({
    name: 'reads by a target that names another host',
    request: 'GET http://evil.example/console/api/overview with the right Host',
    expected: 403,
    defence: absoluteTarget,
    read: (port, cookie) =>
      askRaw(port, ['GET http://evil.example/console/api/overview HTTP/1.1', `Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`]),
  }),
  reads({
    name: 'reads by two Host headers, of which a proxy reads the other one',
    request: 'GET /console/api/overview with Host: 127.0.0.1 and Host: evil.example',
    expected: 400,
    defence: oneHost,
    read: (port, cookie) =>
      askRaw(port, ['GET /console/api/overview HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Host: evil.example', `Cookie: ${cookie}`]),
  }),
  reads({
    name: 'reads by a name that a header of proxies replaces',
    request: 'GET /console/api/overview with Host: evil.example and X-Forwarded-Host: 127.0.0.1',
    expected: 403,
    defence: noForwardedHost,
    read: (port, cookie) =>
      ask(port, '/console/api/overview', { headers: { host: 'evil.example', 'x-forwarded-host': '127.0.0.1', cookie } }),
  }),
  {
    kind: 'host',
    name: 'logs in by a name that resolves to this machine',
    request: 'POST /console/login with Host: evil.example, Origin: http://evil.example and Sec-Fetch-Site: same-origin',
    expected: 403,
    defence: hostCheck,
    async run(target) {
      const site = await target.site();
      const headers = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' };
      const answer = await sendCode(site, await target.code(site), { headers });
      return { succeeded: cookiesOf(answer) !== '', seen: answer.status };
    },
  },
];

function reads({ site: kind = 'mcp', read, ...row }: HostAttack): Attack {
  return {
    kind: 'host',
    ...row,
    async run(target) {
      const site = await target.site(kind);
      const { cookie } = await target.logIn(site);
      const answer = await read(site.port, cookie);
      return { succeeded: answer.status === 200 && 'csrf' in jsonOf<object>(answer), seen: answer.status };
    },
  };
}
