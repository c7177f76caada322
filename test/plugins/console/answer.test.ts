import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import { checkAddress } from '../../../plugins/console/check-options.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { unreachableState } from '../../support/shared-state.ts';
import { ask, consoleSite, cookieOf, csrfOf, logIn, post, sendCode } from './console-site.ts';

describe('the console on the MCP server', () => {
  it('behind a proxy with https has a cookie that only https and this host set', async () => {
    const site = await consoleSite({ mcp: { resource: 'https://tools.example/mcp', allowedHosts: ['tools.example'] } });
    expect(site.printed).to.contain('Console: https://tools.example/console');
    const headers = { host: 'tools.example', origin: 'https://tools.example' };
    const answer = await sendCode(site, site.code, headers);
    expect(answer.headers['set-cookie']?.[0]).to.match(
      /^__Host-toolkit-console=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const [name, value] = cookieOf(answer).split('=');
    expect((await ask(site, '/console', { headers: { ...headers, cookie: `${name}=${value}` } })).status).to.equal(200);
    expect((await ask(site, '/console', { headers: { ...headers, cookie: `toolkit-console=${value}` } })).status).to.equal(401);
  });

  for (const [address, isRefused] of [
    ['http://tools.example', true],
    ['http://192.0.2.1:3000', true],
    ['https://tools.example', false],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]:3000', false],
  ] as const)
    it(`${isRefused ? 'does not start' : 'starts'} at ${address}`, () => {
      if (isRefused) expect(() => checkAddress(address)).to.throw(ToolkitError, `${address}: codes and cookies can be read`);
      else checkAddress(address);
    });

  it('shows what its API has to no page of another origin, also of the same host', async () => {
    const site = await consoleSite();
    const cookie = await logIn(site);
    for (const [from, status] of [
      ['same-origin', 200],
      ['none', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const) {
      const answer = await ask(site, '/console/api/overview', { headers: { cookie, 'sec-fetch-site': from } });
      expect(answer.status, from).to.equal(status);
      expect(answer.headers['access-control-allow-origin'], from).to.equal(undefined);
    }
  });

  it('takes no body that is not JSON', async () => {
    const site = await consoleSite();
    const cookie = await logIn(site);
    const headers = { cookie, 'x-toolkit-csrf': await csrfOf(site, cookie) };
    for (const [type, body, status] of [
      ['application/json', '{', 400],
      ['application/json', '\u{feff}{}', 400],
      ['text/plain', '{}', 415],
      ['application/x-www-form-urlencoded', 'approve=true', 415],
    ] as const)
      expect((await post(site, 'approvals/decide', { ...headers, 'content-type': type }, body)).status, type).to.equal(status);
  });

  it('starts while its store is away, and answers everybody with a session 503 at every path', async () => {
    const logger = memoryLogger();
    const site = await consoleSite({ plugins: [unreachableState().plugin()], logger });
    expect(site.printed).to.contain(`Console: ${site.origin}/console\n`);
    expect(logger.records.map(({ message }) => message).join()).to.contain('toolkit console login');
    expect((await ask(site, '/console')).status).to.equal(401);
    const headers = { cookie: `toolkit-console=${'a'.repeat(43)}` };
    const answers = await Promise.all(['/console', '/console/none', '/console/api/overview'].map((path) => ask(site, path, { headers })));
    for (const { status, body } of answers) expect([status, body]).to.deep.equal([503, answers[0]?.body]);
    expect((await sendCode(site, 'f'.repeat(26))).status).to.equal(503);
  });
});
