import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { installIn } from '../../support/installed.ts';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { terminal } from '../../support/terminal.ts';

const down = '\x1b[B';
const enter = '\r';

/** A project in which toolkit is installed. */
async function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await temporaryFolder({ 'package.json': '{ "name": "a-project" }', ...files });
  await installIn(cwd);
  return cwd;
}

describe('toolkit new in a terminal', () => {
  it('asks for what is missing, says at once what is wrong with an answer, and shows what comes next', async () => {
    const cwd = await project({ 'tools/shop/definition.yaml': 'provider: { name: shop }\nbase_url: https://shop.example\n' });
    const { shows, type, ended, screen } = terminal(['new', 'tool'], { cwd, rows: 60 });
    await shows('Name: its provider');
    type(`shopGetOrder${enter}`);
    await shows('Write "shop_get_order"');
    type(`\x15shop_get_order${enter}`);
    await shows('Whose tool is it?');
    type(down + enter);
    await shows('What does it run?');
    type(enter);
    await shows('What does it do');
    type(`Orders${enter}`);
    await shows('is too short');
    type(` of the shop by their number, with state and price.${enter}`);
    expect(await ended).to.equal(0);
    await matchesSnapshot('new-tool', screen(), { [cwd]: '<project>' });
    expect((await readdir(path.join(cwd, 'tools/shop'))).sort()).to.deep.equal([
      'definition.yaml',
      'shop_get_order.cassette.json',
      'shop_get_order.test.mjs',
      'shop_get_order.yaml',
    ]);
  });

  it('asks about a provider, and takes its defaults for an empty answer', async () => {
    const cwd = await project();
    const { shows, type, ended, screen } = terminal(['new', 'provider', 'my-shop'], { cwd, rows: 60 });
    await shows('What is it?');
    type(enter);
    await shows('Where is its API?');
    type(enter);
    await shows('How do requests prove');
    type(down + enter);
    expect(await ended).to.equal(0);
    await matchesSnapshot('new-provider', screen(), { [cwd]: '<project>' });
  });

  it('takes Ctrl-D at a question for a no, as Ctrl-C', async () => {
    const cwd = await project();
    const { shows, type, ended, screen } = terminal(['new', 'tool'], { cwd });
    await shows('Name: its provider');
    type('\x04');
    expect(await ended).to.equal(1);
    expect(screen()).to.include('ABORTED: Nothing was done: it was cancelled.');
  });

  it('asks about a plugin', async () => {
    const cwd = await project();
    const { shows, type, ended, screen } = terminal(['new', 'plugin'], { cwd, rows: 60 });
    await shows('Name, such as slow-calls');
    type(`slow-calls${enter}`);
    await shows('What does it do?');
    type(enter);
    expect(await ended).to.equal(0);
    await matchesSnapshot('new-plugin', screen(), { [cwd]: '<project>' });
  });

  it('has room in a narrow terminal', async () => {
    const { screen, ended } = terminal(['new', 'tool', 'shop_get_order', '-t', 'http', '-d', 'Gets an order of the shop.'], {
      cwd: await project(),
      columns: 40,
    });
    expect(await ended).to.equal(0);
    expect(screen()).to.include(
      '\n  tools/shop_get_order.yaml\n  tools/shop_get_order.cassette.json\n  tools/shop_get_order.test.mjs\n  toolkit.config.yaml\n',
    );
  });

  for (const { key, name } of [
    { key: '\x03', name: 'Ctrl-C' },
    { key: '\x1b', name: 'Escape' },
  ]) {
    it(`leaves nothing behind on ${name} at the last question`, async () => {
      const cwd = await project();
      const { shows, type, ended, screen } = terminal(['new', 'tool', 'shop_get_order', '-t', 'http'], { cwd });
      await shows('What does it do');
      type(key);
      expect(await ended).to.equal(1);
      expect(screen()).to.include('Nothing was done: it was cancelled.');
      expect((await readdir(cwd)).sort()).to.deep.equal(['node_modules', 'package.json']);
    });
  }
});
