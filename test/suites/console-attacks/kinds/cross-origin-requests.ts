import { ask, begin } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import { fetchMetadata, noCors, noPreflight, originCheck } from '../defences/requests.ts';

const evil = 'https://evil.example';

/** Requests of a page of another origin that reads, with the operator's cookie, as a browser would send them. */
export const crossOriginRequests: readonly Attack[] = [
  ...['cross-site', 'same-site'].flatMap((site) =>
    ['overview', 'approvals', 'tools'].map(
      (path): Attack => ({
        kind: 'cross-origin',
        name: `is sent the ${path}, as a page that is ${site}`,
        request: `GET /console/api/${path} with Sec-Fetch-Site: ${site}`,
        expected: 403,
        defence: fetchMetadata,
        async run(target) {
          const console = await target.site();
          const { cookie } = await target.logIn(console);
          const { status, body } = await ask(console.port, `/console/api/${path}`, { headers: { cookie, 'sec-fetch-site': site } });
          return { succeeded: status === 200 && body.length > 2, seen: status };
        },
      }),
    ),
  ),
  {
    kind: 'cross-origin',
    name: 'listens to the events',
    request: 'GET /console/api/events with Sec-Fetch-Site: same-site',
    expected: 403,
    defence: fetchMetadata,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const response = await begin(site.port, '/console/api/events', { headers: { cookie, 'sec-fetch-site': 'same-site' } });
      response.destroy();
      const type = response.headers['content-type'] ?? '';
      return { succeeded: type.startsWith('text/event-stream'), seen: response.statusCode ?? 0 };
    },
  },
  {
    kind: 'cross-origin',
    name: 'is sent the overview in a browser without Fetch Metadata',
    request: 'GET /console/api/overview with Origin: https://evil.example',
    expected: 403,
    defence: originCheck,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const { status, body } = await ask(site.port, '/console/api/overview', { headers: { cookie, origin: evil } });
      return { succeeded: status === 200 && body.includes('"csrf"'), seen: status };
    },
  },
  {
    kind: 'cross-origin',
    name: 'reads the token of the session with leave of the server',
    request: 'GET /console/api/overview with Origin: https://evil.example, in a browser that obeys Access-Control-Allow-Origin',
    expected: 403,
    // Not even the answer is sent: a server that allows the origin beside that check lets nobody read.
    defence: [originCheck, noCors],
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const { status, body, headers } = await ask(site.port, '/console/api/overview', { headers: { cookie, origin: evil } });
      const isAllowed = headers['access-control-allow-origin'] === evil && headers['access-control-allow-credentials'] === 'true';
      return { succeeded: isAllowed && body.includes('"csrf"'), seen: status };
    },
  },
  {
    kind: 'cross-origin',
    name: 'gets leave to send the header of the token',
    request: 'OPTIONS /console/api/approvals/decide with Access-Control-Request-Headers: x-toolkit-csrf',
    expected: 405,
    defence: noPreflight,
    async run(target) {
      const site = await target.site();
      const { status, headers } = await ask(site.port, '/console/api/approvals/decide', {
        method: 'OPTIONS',
        headers: { origin: evil, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-toolkit-csrf' },
      });
      const isAllowed =
        headers['access-control-allow-origin'] === evil && /x-toolkit-csrf/.test(headers['access-control-allow-headers'] ?? '');
      return { succeeded: status < 300 && isAllowed, seen: status };
    },
  },
];
