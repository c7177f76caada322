import { expect } from 'chai';
import sinon from 'sinon';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { ask, type ConsoleSite, consoleSite, cookieOf, csrfOf, logIn, post, sendCode } from '../console-site.ts';

describe('the login of the console', () => {
  it('shows a form that works without script, and no script but that of the console', async () => {
    const site = await consoleSite();
    const { status, body } = await ask(site, '/console/login');
    expect(status).to.equal(200);
    expect(body).to.contain('<form method="post" action="/console/login">');
    const scripts = body.match(/<script.*?<\/script>/g) ?? [];
    expect(scripts.filter((script) => !/^<script src="\/console\/assets\/app-\w+\.js" defer><\/script>$/.test(script))).to.deep.equal([]);
  });

  it('lets in with the printed code, under the name operator', async () => {
    const site = await consoleSite();
    expect(site.printed).to.contain(`Console: ${site.origin}/console  Code: `).and.contain('toolkit console login');
    const answer = await sendCode(site, site.code);
    expect([answer.status, answer.headers.location]).to.deep.equal([303, '/console']);
    const cookie = cookieOf(answer);
    const shell = await ask(site, '/console', { headers: { cookie } });
    expect(shell.status).to.equal(200);
    const { status, body } = await ask(site, '/console/api/overview', { headers: { cookie } });
    expect(status).to.equal(200);
    // No number: an answer of the console.
    expect(JSON.parse(body)).to.include({ name: 'operator', keepsApprovals: false, waiting: 0 });
    expect((await ask(site, '/console/login', { headers: { cookie } })).headers.location).to.equal('/console');
  });

  it('sets a cookie that no script and no other site uses, for eight hours', async () => {
    const site = await consoleSite();
    const [line] = (await sendCode(site, site.code)).headers['set-cookie'] ?? [];
    expect(line).to.match(/^toolkit-console=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
  });

  it('takes a code that a person has copied with blanks and capitals', async () => {
    const site = await consoleSite();
    expect((await sendCode(site, ` ${site.code.toUpperCase()} \n`)).status).to.equal(303);
  });

  it('keeps neither code nor cookie in the store or the log', async () => {
    const state = await sharedState();
    const logger = memoryLogger();
    const site = await consoleSite({ plugins: [state.plugin()], logger });
    const [, value = ''] = (await logIn(site)).split('=');
    const store = state.open();
    const kept = JSON.stringify(await store.list(''));
    await store.close();
    for (const secret of [site.code, value]) {
      expect(kept, 'store').to.not.contain(secret);
      expect(JSON.stringify(logger.records), 'log').to.not.contain(secret);
    }
    expect(kept).to.contain('session/');
  });

  const wrong: readonly (readonly [what: string, code: (right: string) => string])[] = [
    ['an empty one', () => ''],
    ['one of the right form', () => '0'.repeat(26)],
    ['the beginning of the right one', (right) => right.slice(0, 25)],
    ['one that is longer', (right) => `${right}0`],
    ['a text with markup', () => '<b>1</b>'],
  ];
  for (const [what, code] of wrong)
    it(`refuses a wrong code: ${what}`, async () => {
      const site = await consoleSite();
      const answer = await sendCode(site, code(site.code));
      expect(answer.status).to.equal(401);
      expect(cookieOf(answer)).to.equal('');
      expect(answer.body).to.contain('does not count').and.not.contain('<b>');
    });

  it('refuses a code that was used', async () => {
    const site = await consoleSite();
    expect((await sendCode(site, site.code)).status).to.equal(303);
    expect((await sendCode(site, site.code)).status).to.equal(401);
  });

  it('lets one in of several that send one code to two processes at the same time', async () => {
    const state = await sharedState();
    const sites = [await consoleSite({ plugins: [state.plugin()] }), await consoleSite({ plugins: [state.plugin()] })];
    const code = sites[0]?.code ?? '';
    const answers = await Promise.all([...sites, ...sites].map((site) => sendCode(site, code)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 401, 401, 401]);
    const cookie = cookieOf(answers.find(({ status }) => status === 303) as (typeof answers)[number]);
    for (const site of sites) expect((await ask(site, '/console/api/overview', { headers: { cookie } })).status).to.equal(200);
  });

  it('refuses a code after ten minutes', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['Date'] });
    try {
      const site = await consoleSite();
      clock.tick(10 * 60_000 + 1);
      expect((await sendCode(site, site.code)).status).to.equal(401);
    } finally {
      clock.restore();
    }
  });

  it('refuses every code of an address after ten wrong ones in a minute, and takes the right one a minute later', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['Date'] });
    try {
      const site = await consoleSite();
      for (let tries = 0; tries < 10; tries++) expect((await sendCode(site, 'f'.repeat(26))).status).to.equal(401);
      const answer = await sendCode(site, site.code);
      expect(answer.status).to.equal(429);
      expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
      clock.tick(60_001);
      expect((await sendCode(site, site.code)).status).to.equal(303);
    } finally {
      clock.restore();
    }
  });

  it('counts guesses that come at the same time', async () => {
    const site = await consoleSite();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendCode(site, 'f'.repeat(26))));
    expect(answers.filter(({ status }) => status === 401)).to.have.length(10);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(10);
  });

  for (const [what, headers] of [
    ['of another site', { origin: 'https://evil.example' }],
    ['of another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['without an Origin', { origin: '' }],
  ] as const)
    it(`refuses a form ${what}, and leaves the code as it is`, async () => {
      const site = await consoleSite();
      const answer = await sendCode(site, site.code, headers);
      expect(answer.status).to.equal(403);
      expect(cookieOf(answer)).to.equal('');
      expect((await sendCode(site, site.code)).status).to.equal(303);
    });

  it('gives each login a new cookie, and ends the session that the browser had', async () => {
    const state = await sharedState();
    const site = await consoleSite({ plugins: [state.plugin()] });
    const planted = `toolkit-console=${'a'.repeat(43)}`;
    const first = cookieOf(await sendCode(site, site.code, { cookie: planted }));
    expect(first).to.not.equal(planted);
    const other = await consoleSite({ plugins: [state.plugin()] });
    const second = cookieOf(await sendCode(other, other.code, { cookie: first }));
    expect(second).to.not.equal(first);
    const statuses = await Promise.all(
      [planted, first, second].map(async (cookie) => (await ask(site, '/console', { headers: { cookie } })).status),
    );
    expect(statuses).to.deep.equal([401, 401, 200]);
  });
});

describe('a session of the console', () => {
  it('is ended by a login in its browser, also where another page has planted further ones', async () => {
    const state = await sharedState();
    const open = (): Promise<ConsoleSite> => consoleSite({ plugins: [state.plugin()] });
    const planted = [await logIn(await open()), await logIn(await open())];
    const site = await open();
    const cookie = cookieOf(await sendCode(site, site.code, { cookie: planted.join('; ') }));
    for (const other of planted) expect((await ask(site, '/console', { headers: { cookie: other } })).status).to.equal(401);
    expect((await ask(site, '/console', { headers: { cookie: [...planted, cookie].join('; ') } })).status).to.equal(200);
  });

  it('is found behind cookies of its name that another page of the host has planted', async () => {
    const site = await consoleSite();
    const planted = Array.from({ length: 6 }, () => `toolkit-console=${'a'.repeat(43)}`);
    const cookie = [...planted, await logIn(site)].join('; ');
    expect((await ask(site, '/console', { headers: { cookie } })).status).to.equal(200);
  });

  it('ends with the logout, and its cookie with it', async () => {
    const site = await consoleSite();
    const cookie = await logIn(site);
    const answer = await post(site, 'logout', { cookie, 'x-toolkit-csrf': await csrfOf(site, cookie) });
    expect([answer.status, answer.body]).to.deep.equal([200, '{}\n']);
    expect(answer.headers['set-cookie']?.[0]).to.contain('toolkit-console=; Path=/; Max-Age=0');
    expect((await ask(site, '/console/api/overview', { headers: { cookie } })).status).to.equal(401);
  });

  it('ends after its hours', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['Date'] });
    try {
      const site = await consoleSite({ console: { sessionHours: 1 } });
      const cookie = await logIn(site);
      clock.tick(3_600_000 - 1000);
      expect((await ask(site, '/console', { headers: { cookie } })).status).to.equal(200);
      clock.tick(2000);
      expect((await ask(site, '/console', { headers: { cookie } })).status).to.equal(401);
    } finally {
      clock.restore();
    }
  });

  it('ends where people log in another way since', async () => {
    const state = await sharedState();
    const cookie = await logIn(await consoleSite({ plugins: [state.plugin()] }));
    const openid = { issuer: 'https://login.example', clientId: 'console', operators: { groups: ['operations'] } };
    const site = await consoleSite({ plugins: [state.plugin()], console: { openid } });
    expect((await ask(site, '/console', { headers: { cookie } })).status).to.equal(401);
  });

  const forged: readonly (readonly [what: string, token: (right: string) => Readonly<Record<string, string>>])[] = [
    ['no token', () => ({})],
    ['an empty token', () => ({ 'x-toolkit-csrf': '' })],
    ['a guess', () => ({ 'x-toolkit-csrf': 'a'.repeat(43) })],
    ['the beginning of the token', (right) => ({ 'x-toolkit-csrf': right.slice(0, -1) })],
    ['the token in another header', (right) => ({ 'x-csrf-token': right })],
  ];
  for (const [what, headers] of forged)
    it(`takes no POST with ${what}`, async () => {
      const site = await consoleSite();
      const cookie = await logIn(site);
      const answer = await post(site, 'logout', { cookie, ...headers(await csrfOf(site, cookie)) });
      expect(answer.status).to.equal(403);
      expect((await ask(site, '/console', { headers: { cookie } })).status).to.equal(200);
    });

  it('takes no POST with the token of another session', async () => {
    const state = await sharedState();
    const [site, other] = [await consoleSite({ plugins: [state.plugin()] }), await consoleSite({ plugins: [state.plugin()] })];
    const token = await csrfOf(other, await logIn(other));
    expect((await post(site, 'logout', { cookie: await logIn(site), 'x-toolkit-csrf': token })).status).to.equal(403);
  });

  it('takes no POST from a page of another site, whatever its token', async () => {
    const site = await consoleSite();
    const cookie = await logIn(site);
    const headers = { cookie, 'x-toolkit-csrf': await csrfOf(site, cookie) };
    expect((await post(site, 'logout', { ...headers, origin: 'https://evil.example' })).status).to.equal(403);
    expect((await post(site, 'logout', { ...headers, origin: 'null' })).status).to.equal(403);
  });

  it('gets 404 as JSON where nothing is, and 405 for another method', async () => {
    const site = await consoleSite();
    const cookie = await logIn(site);
    for (const path of ['/console/none', '/console/api/none', '/console/assets/app-none.js']) {
      const { status, headers, body } = await ask(site, path, { headers: { cookie } });
      expect([status, headers['content-type']]).to.deep.equal([404, 'application/json']);
      expect(body).to.contain('NOT_FOUND');
    }
    const headers = { cookie, 'x-toolkit-csrf': await csrfOf(site, cookie) };
    const answer = await post(site, 'approvals', headers);
    expect([answer.status, answer.headers.allow]).to.deep.equal([405, 'GET']);
  });
});
