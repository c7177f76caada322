import { expect } from 'chai';
import { ask, consoleSite, csrfOf, logIn, post, sendCode } from './console-site.ts';

describe('a console with a listener of its own', () => {
  it('is there, and not on the MCP server', async () => {
    const site = await consoleSite({ console: { listen: { port: 0 } }, listens: true });
    expect(site.printed).to.contain(`Console: ${site.origin}/console  Code: `);
    expect((await ask(site, '/console')).status).to.equal(401);
    const cookie = await logIn(site);
    expect((await ask(site, '/console/', { headers: { cookie } })).status).to.equal(200);
    expect((await post(site, 'logout', { cookie, 'x-toolkit-csrf': await csrfOf(site, cookie) })).status).to.equal(200);
    expect((await ask({ port: site.mcpPort }, '/console')).body).to.not.contain('<html');
  });

  it('takes no form of another origin and no foreign Host', async () => {
    const site = await consoleSite({ console: { listen: { port: 0 } }, listens: true });
    expect((await sendCode(site, site.code, { origin: 'https://evil.example' })).status).to.equal(403);
    expect((await ask(site, '/console/login', { headers: { host: 'evil.example' } })).status).to.equal(403);
  });

  it('ends with the kernel', async () => {
    const site = await consoleSite({ console: { listen: { port: 0 } }, listens: true });
    await site.kernel.close();
    expect(await ask(site, '/console').catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED');
  });
});
