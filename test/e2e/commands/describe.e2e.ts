import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { terminal } from '../../support/terminal.ts';
import { start } from '../program.ts';
import { shop } from './shop.ts';

async function describeTool(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cwd = await shop();
  const started = start(['describe', ...args], { cwd, env });
  const { code } = await started.exit;
  return { code, cwd, stdout: started.stdout(), stderr: started.stderr() };
}

describe('toolkit describe', () => {
  const screens = [
    { title: 'a tool whole', name: 'describe', columns: 80 },
    { title: 'a tool where there is little room', name: 'describe-narrow', columns: 40 },
  ];
  for (const { title, name, columns } of screens) {
    it(`shows ${title}`, async () => {
      const cwd = await shop();
      const { ended, screen } = terminal(['describe', 'shop_order'], { cwd, columns, rows: 100 });
      expect(await ended).to.equal(0);
      // Where the name of the folder is cut depends on its length.
      const text = screen().replace(/(Defined in +)\S[\s\S]*?(\nExecuted as)/, '$1<file>$2');
      await matchesSnapshot(name, text);
    });
  }

  it('says whether a secret is set, and never what it is', async () => {
    const { stdout } = await describeTool(['shop_order'], { SHOP_TOKEN: 'token-of-shop' });
    expect(stdout).to.match(/SHOP_TOKEN {2}set \(\S*secrets-env\) {2}A token of the shop\./);
    expect(stdout).to.not.include('token-of-shop');
  });

  it('prints what a program wants, with the schema that MCP clients get', async () => {
    const { code, cwd, stdout } = await describeTool(['shop_order', '--json'], { SHOP_TOKEN: 'token-of-shop' });
    const described = JSON.parse(stdout);
    expect(code).to.equal(0);
    expect(described).to.include({ name: 'shop_order', provider: 'shop', risk: 'medium', requires_approval: true, execution_type: 'http' });
    expect(described.file).to.equal(`${cwd}/tools/shop/order.yaml`);
    expect(Object.keys(described.input_schema.properties)).to.include.members(['item', '_toolkit_approved']).and.not.include('SHOP_TOKEN');
    expect(described.output_schema.properties.number.type).to.deep.equal(['integer', 'string']);
    expect(described.credentials).to.have.length(1);
    expect(described.credentials[0]).to.include({ name: 'SHOP_TOKEN', secret: 'SHOP_TOKEN', state: 'set', required: true });
    expect(described.limits).to.deep.include({ timeout_ms: 20_000, rate_limit: { requests: 10, per_ms: 60_000 } });
    expect(stdout).to.not.include('token-of-shop');
  });

  it('names the nearest tools for one that is not there', async () => {
    const { code, stdout, stderr } = await describeTool(['shop_ordr']);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('There is no tool "shop_ordr". Did you mean "shop_order"?');
  });
});
