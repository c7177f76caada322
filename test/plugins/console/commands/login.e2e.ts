import { expect } from 'chai';
import { createKernel, type Plugin } from '../../../../kernel/index.ts';
import { login } from '../../../../plugins/console/commands/login.ts';
import { console as consolePlugin } from '../../../../plugins/console/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { invocation } from '../../../support/invocation.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { consoleSite, sendCode } from '../console-site.ts';

/** Runs the command with these plugins. Resolves to what it printed. */
async function run(plugins: readonly Plugin[]): Promise<{ readonly out: string; readonly notes: string }> {
  const out: string[] = [];
  const notes: string[] = [];
  await login(
    invocation({
      createKernel: () => createKernel({ plugins, logger: memoryLogger() }),
      write: (text) => void out.push(text),
      note: (text) => void notes.push(text),
    }),
  );
  return { out: out.join(''), notes: notes.join('') };
}

describe('toolkit console login', () => {
  it('prints a code alone, which a server of the same store takes once', async () => {
    const state = await sharedState();
    const site = await consoleSite({ plugins: [state.plugin()] });
    const { out, notes } = await run([state.plugin(), consolePlugin()]);
    expect(out).to.match(/^[0-9a-v]{26}\n$/);
    expect(out.trim()).to.not.equal(site.code);
    expect(notes).to.contain('/console').and.not.contain(out.trim());
    expect((await sendCode(site, out.trim())).status).to.equal(303);
    expect((await sendCode(site, out.trim())).status).to.equal(401);
    expect((await sendCode(site, site.code)).status).to.equal(303);
  });

  const openid = { issuer: 'https://login.example', clientId: 'console', operators: { groups: ['operations'] } };
  const refused: readonly (readonly [what: string, plugins: readonly Plugin[], says: string])[] = [
    ['without a store that a server sees', [consolePlugin()], 'storeLibsql()'],
    ['where people log in with OpenID', [consolePlugin({ openid })], 'takes no codes'],
    ['without a console in the configuration', [], 'List console()'],
  ];
  for (const [what, plugins, says] of refused)
    it(`prints nothing ${what}, and says what to do`, async () => {
      expect((await rejection(run(plugins), 'CONFIG_INVALID')).message).to.contain(says);
    });
});
