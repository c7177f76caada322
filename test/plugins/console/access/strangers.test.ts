import { expect } from 'chai';
import { randomValue } from '../../../../plugins/shared/keys/random-value.ts';
import { type Answer, ask, type ConsoleSite, consoleSite, post, type Sent } from '../console-site.ts';

/** The answer without its time. */
const timeless = ({ status, headers: { date: _, ...headers }, body }: Answer) => ({ status, headers, body });

const json = (site: ConsoleSite): Sent => ({
  method: 'POST',
  headers: { origin: site.origin, 'content-type': 'application/json' },
  body: '{}',
});

const gets: readonly string[] = [
  '/console',
  '/console/',
  '/console?id=1',
  '/console/api/overview',
  '/console/api/approvals',
  '/console/api/approvals/a-1',
  '/console/api/events',
  '/console/api/none',
  '/console/api/',
  '/console/none',
  '/console/index.html',
  '/console/login/openid',
  '/console/login/callback?code=1&state=2',
  '/console/login/',
  '/console/login/none',
  '/console/LOGIN',
  '/console/%6cogin',
  '/console/login%00',
  '/console//login',
  '/console/../console/api/overview',
  '/console/./api/overview',
  '/console/x/../api/overview',
  '/console/%2e%2e/console/api/overview',
  '/console/..%2fapi/overview',
  '/console/api%2foverview',
  '/console/api/%ff',
  '/console/api/approvals/%E0%A4%A',
  '/console/assets/',
  '/console/assets/assets.json',
  '/console/assets/app-none.js',
  '/console/assets/../index.js',
  '/console/assets/app.css%00.js',
  `/console/${'a'.repeat(4000)}`,
];

describe('a stranger gets the one answer of the console', () => {
  it('at every path but the login and the assets, whether it exists or not', async () => {
    const site = await consoleSite();
    const first = await ask(site, '/console');
    expect(first.status).to.equal(401);
    expect(first.body).to.contain('href="/console/login"').and.contain('http-equiv="refresh"');
    for (const path of gets) expect(timeless(await ask(site, path)), path).to.deep.equal(timeless(first));
  });

  it('with a POST too', async () => {
    const site = await consoleSite();
    const first = timeless(await ask(site, '/console'));
    for (const path of ['/console', '/console/api/logout', '/console/api/approvals/decide', '/console/api/none', '/console/none'])
      expect(timeless(await ask(site, path, json(site))), path).to.deep.equal(first);
  });

  for (const method of ['PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS'])
    it(`with ${method} one answer as well, of the server`, async () => {
      const site = await consoleSite();
      const answers = [];
      for (const path of ['/console/api/overview', '/console/api/none', '/console/none'])
        answers.push(timeless(await ask(site, path, { method })));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
      expect(answers[0]?.status).to.not.equal(200);
    });

  const cookies: readonly (readonly [what: string, value: string])[] = [
    ['a value of the right length', randomValue()],
    ['an empty value', ''],
    ['a value that is a path', '../session'],
    ['a value with a wildcard', '%'],
    ['a long value', 'a'.repeat(3000)],
  ];
  for (const [what, value] of cookies)
    it(`with the cookie of no session: ${what}`, async () => {
      const site = await consoleSite();
      const first = timeless(await ask(site, '/console'));
      const headers = { cookie: `toolkit-console=${value}; __Host-toolkit-console=${value}` };
      for (const path of ['/console', '/console/api/overview', '/console/none'])
        expect(timeless(await ask(site, path, { headers }))).to.deep.equal(first);
    });

  it('with the bearer token of an MCP client', async () => {
    const site = await consoleSite();
    const answer = await ask(site, '/console/api/overview', { headers: { authorization: 'Bearer token-of-the-tests' } });
    expect(answer.status).to.equal(401);
  });

  it('and no path of the API tells by its CSRF check that it exists', async () => {
    const site = await consoleSite();
    const answers = await Promise.all(['logout', 'none'].map((path) => post(site, path, { 'x-toolkit-csrf': 'guess' })));
    expect(timeless(answers[0] as Answer)).to.deep.equal(timeless(answers[1] as Answer));
  });

  it('under headers that allow no script, frame or foreign request', async () => {
    const { headers } = await ask(await consoleSite(), '/console');
    expect(headers).to.include({
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).to.not.contain('unsafe');
    expect(headers['access-control-allow-origin']).to.equal(undefined);
  });
});
