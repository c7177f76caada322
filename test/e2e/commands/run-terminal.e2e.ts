import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { terminal } from '../../support/terminal.ts';
import { shop } from './shop.ts';

describe('toolkit run on a terminal', () => {
  const screens = [
    { title: 'what a tool takes', name: 'run-tool-help', args: ['shop_order', '--help'] },
    { title: 'what a tool takes, where there is little room', name: 'run-tool-help-narrow', args: ['shop_order', '--help'], columns: 40 },
    { title: 'a list of objects as a table', name: 'run-table', args: ['shop_items'] },
    { title: 'a list of objects one by one, where there is little room', name: 'run-table-narrow', args: ['shop_items'], columns: 24 },
  ];
  for (const { title, name, args, columns = 80 } of screens) {
    it(`shows ${title}`, async () => {
      const { ended, screen } = terminal(['run', ...args], { cwd: await shop(), columns, rows: 80 });
      expect(await ended).to.equal(0);
      await matchesSnapshot(name, screen());
    });
  }

  it('asks for a secret that is missing, hidden, for this call only', async () => {
    const cwd = await shop();
    const { shows, type, ended, screen, raw } = terminal(['run', 'shop_secret'], { cwd, env: { NO_COLOR: '1' } });
    await shows('SHOP_TOKEN A token of the shop.');
    type('hidden-1\r');
    expect(await ended).to.equal(0);
    expect(raw()).to.not.include('hidden-1');
    await matchesSnapshot('run-secret', screen());
  });

  it('says where a result is that of an earlier run of its name', async () => {
    const cwd = await shop(undefined, { hasStore: true });
    const args = ['run', 'shop_count_up', '--once', 'order 1'];
    expect(await terminal(args, { cwd }).ended).to.equal(0);
    const { ended, screen } = terminal(args, { cwd });
    expect(await ended).to.equal(0);
    await matchesSnapshot('run-once', screen());
  });

  it('ends with 1 in plain words when the person cancels the question for a secret', async () => {
    const { shows, type, ended, screen } = terminal(['run', 'shop_secret'], { cwd: await shop() });
    await shows('SHOP_TOKEN A token of the shop.');
    type('\x03');
    expect(await ended).to.equal(1);
    expect(screen()).to.include('toolkit: ABORTED: Nothing was done: it was cancelled.');
  });

  it('does not ask for a secret where the parameters are wrong', async () => {
    const { ended, screen } = terminal(['run', 'shop_order', '--count', '100'], { cwd: await shop(), columns: 200 });
    expect(await ended).to.equal(2);
    expect(screen()).to.include('item is required').and.not.include('SHOP_TOKEN');
  });

  it('asks the person where the policy wants it, and runs at a yes', async () => {
    const { shows, type, ended, screen } = terminal(['run', 'shop_danger'], { cwd: await shop() });
    await shows('● No');
    type('y');
    expect(await ended).to.equal(0);
    await matchesSnapshot('run-approval', screen());
  });

  it('takes nothing for an answer that was typed before the question was there', async () => {
    const { shows, type, ended, screen } = terminal(['run', 'shop_danger'], { cwd: await shop() });
    type('y');
    await shows('● No');
    type('\r');
    expect(await ended).to.equal(1);
    expect(screen()).to.include('APPROVAL_DENIED');
  });

  const noes = [
    { title: 'does not run at a no', keys: '\r', says: 'APPROVAL_DENIED: "shop_danger" was not approved by the person' },
    { title: 'stops at Ctrl-C in a question', keys: '\x03', says: 'ABORTED: The question was not answered, so the call was stopped.' },
  ];
  for (const { title, keys, says } of noes) {
    it(title, async () => {
      const { shows, type, ended, screen } = terminal(['run', 'shop_danger'], { cwd: await shop(), columns: 120 });
      await shows('● No');
      type(keys);
      expect(await ended).to.equal(1);
      expect(screen()).to.include(says).and.not.include('done');
    });
  }

  it('asks what a tool asks, and checks the answers', async () => {
    const { shows, type, ended, screen } = terminal(['run', 'shop_count'], { cwd: await shop() });
    await shows('● S');
    type('\x1b[B\r');
    await shows('How many');
    type('0\r');
    await shows('Expected to be >= 1');
    type('\x7f5\r');
    await shows('why (optional)');
    type('\r');
    expect(await ended).to.equal(0);
    await matchesSnapshot('run-questions', screen());
  });

  it('shows how far the call is, and nothing of it afterwards', async () => {
    const { shows, type, ended, screen } = terminal(['run', 'shop_nap'], { cwd: await shop() });
    await shows('[#####---------------]  25 %  asleep \\u001b[2J');
    type('\x03');
    expect(await ended).to.equal(1);
    expect(screen()).to.include('toolkit: ABORTED: "shop_nap" was stopped before its end.');
  });
});
