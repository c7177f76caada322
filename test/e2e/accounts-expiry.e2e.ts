import { expect } from 'chai';
import { AccountsSite, clientOf, eraNames, httpTransport, limitMs, serviceNames, services } from './accounts-site.ts';

describe('a tool with an account that expires', function () {
  this.timeout(limitMs);

  for (const era of eraNames)
    for (const transport of ['stdio', 'HTTP'] as const)
      for (const service of serviceNames)
        it(`goes on for a client of ${era} over ${transport}: ${service}`, async () => {
          const site = await AccountsSite.begin();
          const { server } = site;
          // The token of the login lives on at the API, and ends at once by its own words.
          server.next({ change: (answer) => ({ ...answer, expires_in: 0.001 }) });
          await site.logIn(service);
          const client = await clientOf(
            era,
            transport === 'stdio' ? site.stdio() : httpTransport(await site.serve('--token', 'the-token'), 'the-token'),
          );
          const { read, write } = services[service];
          const named = { [service]: 'ann@acme.example' };
          const both = async (): Promise<void> => {
            expect(await site.call(client, read)).to.deep.equal(named);
            expect(await site.call(client, write)).to.deep.equal(named);
          };
          await both();
          expect(server.count('refresh_token'), 'before the use of a token that has ended').to.equal(1);
          expect(site.refused).to.have.length(0);
          for (const [index, call] of [read, write].entries()) {
            server.expire();
            expect(await site.call(client, call)).to.deep.equal(named);
            expect(server.count('refresh_token'), 'after the end that the API alone knows of').to.equal(index + 2);
          }
          await both();
          expect(site.refused).to.have.length(2);
          expect(server.count('refresh_token')).to.equal(3);
          expect(site.writes).to.have.length(3);
          expect(server.reuses).to.equal(0);
          await site.expectNoSecret();
        });

  it('is refreshed by one of two processes of a person, and used by both', async () => {
    const site = await AccountsSite.begin();
    await site.logIn('gmail');
    const first = await clientOf('2025-11-25', site.stdio());
    const second = await clientOf('2026-07-28', httpTransport(await site.serve('--token', 'the-token'), 'the-token'));
    const { read, write } = services.gmail;
    await Promise.all([site.call(first, read), site.call(second, read)]);
    for (const expiries of [1, 2, 3]) {
      site.server.expire();
      await Promise.all([first, second].flatMap((client) => [site.call(client, read), site.call(client, write)]));
      expect(site.server.count('refresh_token')).to.equal(expiries);
    }
    expect(site.writes).to.have.length(6);
    expect(site.server.reuses).to.equal(0);
    await site.expectNoSecret();
  });
});
