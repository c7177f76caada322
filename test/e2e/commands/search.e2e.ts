import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { terminal } from '../../support/terminal.ts';
import { start } from '../program.ts';
import { shop } from './shop.ts';

async function search(...args: readonly string[]) {
  const started = start(['search', ...args], { cwd: await shop() });
  const { code } = await started.exit;
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

describe('toolkit search', () => {
  it('shows the best tools first, on lines that fit the terminal', async () => {
    const { ended, screen } = terminal(['search', 'convert', 'csv', '--limit', '4'], { cwd: await shop() });
    expect(await ended).to.equal(0);
    await matchesSnapshot('search', screen());
  });

  it('prints JSON for programs, of one provider and one risk', async () => {
    const { code, stdout } = await search('trying', '--provider', 'shop', '--risk', 'high', '--json');
    const found = JSON.parse(stdout) as { name: string; score: number }[];
    expect(code).to.equal(0);
    expect(found.map(({ name }) => name)).to.deep.equal(['shop_danger']);
    expect(found[0]).to.include({ provider: 'shop', risk: 'high', description: 'For trying things out.' });
  });

  it('finds only tools whose secrets are there, where that is asked for', async () => {
    const names = async (...args: readonly string[]) =>
      (JSON.parse((await search('orders something', '--provider', 'shop', '--json', ...args)).stdout) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names()).to.include('shop_order');
    expect(await names('--available')).to.not.include('shop_order');
  });

  const nothing = [
    { args: ['xyzzy'], stdout: '', says: /^No tool fits "xyzzy"\. Try fewer or other words; "toolkit list" shows all \d+ tools\.\n$/ },
    { args: ['csv', '--provider', 'shop'], stdout: '', says: /^No tool fits "csv"\. .*Leave --provider out, or try/ },
    { args: ['xyzzy', '--available', '--risk', 'low'], stdout: '', says: /Leave --risk and --available out, or try/ },
    { args: ['xyzzy', '--json'], stdout: '[]\n', says: /^No tool fits/ },
  ];
  for (const { args, stdout, says } of nothing) {
    it(`says that nothing fits, and ends with 0: ${args.join(' ')}`, async () => {
      const ended = await search(...args);
      expect({ code: ended.code, stdout: ended.stdout }).to.deep.equal({ code: 0, stdout });
      expect(ended.stderr).to.match(says);
    });
  }

  const wrong = [
    { args: ['csv', '--limit', '0'], says: 'expected a whole number from 1 to 1000, received "0"' },
    { args: ['csv', '--risk', 'huge'], says: 'expected low, medium or high, received "huge"' },
    { args: ['csv', '--provider', 'shp'], says: 'There is no tool of the provider "shp". Those there are: core, shop.' },
    { args: [], says: "missing required argument 'words'" },
  ];
  for (const { args, says } of wrong) {
    it(`ends with 2 for ${args.join(' ') || 'no words'}`, async () => {
      const { code, stdout, stderr } = await search(...args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(says);
    });
  }
});
