import { expect } from 'chai';
import { noTerminal } from '../../../support/invocation.ts';
import { rejection } from '../../../support/rejection.ts';
import { MemoryInbox, record } from './memory-inbox.ts';
import { runCommand } from './run-command.ts';

interface ListedPage {
  readonly approvals: readonly { readonly id: string }[];
  readonly unreadable: number;
  readonly next: string | null;
}

const inbox = (): MemoryInbox =>
  new MemoryInbox(
    record('c-3', { tool: 'shop_pay', caller: 'bob', tenant: 'acme', count: 1200 }),
    record('b-2', { status: 'refused' }),
    record('a-1', { approvers: 2, isKept: false }),
  );

async function pageOf(flags: Readonly<Record<string, unknown>>, records = inbox()): Promise<ListedPage> {
  const { stdout } = await runCommand(records.plugin, 'list', [], { json: true, ...flags });
  // No number: ids, and a small count.
  return JSON.parse(stdout) as ListedPage;
}

describe('toolkit approvals list', () => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{}, ['c-3', 'a-1']],
    [{ status: 'all' }, ['c-3', 'b-2', 'a-1']],
    [{ status: 'refused' }, ['b-2']],
    [{ tool: 'shop_pay' }, ['c-3']],
    [{ caller: 'ada', status: 'all' }, ['b-2', 'a-1']],
    [{ tenant: 'acme' }, ['c-3']],
  ];
  for (const [flags, ids] of cases)
    it(`gives those of ${JSON.stringify(flags)}`, async () => {
      expect((await pageOf(flags)).approvals.map(({ id }) => id)).to.deep.equal(ids);
    });

  it('is a table with caller, tool, risk, count and reason', async () => {
    const { stdout, stderr } = await runCommand(inbox().plugin, 'list');
    expect(stdout).to.match(/^Id +Age +Caller +Tool +Risk +Count +Reason\n/);
    expect(stdout).to.match(/^c-3 +\d+ d +bob \(tenant acme\) +shop_pay +high +1,200 +it needs approval$/m);
    expect(stdout).to.match(/^a-1 .* 0 of 2 approvals; not kept; it needs approval$/m);
    expect(stdout).to.not.include('b-2');
    expect(stderr).to.include('No more.\n');
  });

  it('shows statuses where there are several', async () => {
    const { stdout } = await runCommand(inbox().plugin, 'list', [], { status: 'all' });
    expect(stdout)
      .to.match(/^Id +Status +Age/)
      .and.to.match(/^b-2 +refused /m);
  });

  it('goes on behind an earlier page, and says when there is no more', async () => {
    const first = await runCommand(inbox().plugin, 'list', [], { limit: 1 });
    expect(first.stderr).to.include('There may be more: --after c-3\n').and.not.include('No more');
    expect((await pageOf({ limit: 1 })).next).to.equal('c-3');
    const second = await pageOf({ limit: 1, after: 'c-3' });
    expect(second.approvals.map(({ id }) => id)).to.deep.equal(['a-1']);
    expect(second.next).to.equal(null);
    expect((await runCommand(inbox().plugin, 'list', [], { after: 'a-1' })).stdout).to.equal('No more approvals.\n');
  });

  it('says that nothing waits', async () => {
    const none = new MemoryInbox();
    expect((await runCommand(none.plugin, 'list')).stdout).to.equal('No approvals wait.\n');
    expect((await runCommand(none.plugin, 'list', [], { status: 'void' })).stdout).to.equal('No approvals are void.\n');
  });

  it('says how many it cannot read', async () => {
    const records = inbox();
    records.unreadable = 2;
    expect((await pageOf({}, records)).unreadable).to.equal(2);
    expect((await runCommand(records.plugin, 'list')).stderr).to.include('2 approvals cannot be read here: another key sealed them');
  });

  it('prints nothing that a terminal would obey', async () => {
    const records = new MemoryInbox(record('a-1', { caller: 'a\u001b[2Jb', reasons: [{ kind: 'gate', message: 'c\u202ed\ne' }] }));
    const { stdout } = await runCommand(records.plugin, 'list', [], {}, { ...noTerminal, columns: 200 });
    expect(stdout).to.include('a\\u001b[2Jb').and.include('c\\u202ed e').and.not.include('\u001b').and.not.include('\u202e');
  });
});

describe('toolkit approvals', () => {
  const commands: readonly (readonly [string, readonly string[], Readonly<Record<string, unknown>>])[] = [
    ['list', [], {}],
    ['show', ['a-1'], {}],
    ['approve', ['a-1'], { yes: true }],
    ['refuse', [], { all: true, yes: true }],
    ['export', [], {}],
    ['erase', [], { caller: 'ada', yes: true }],
  ];
  for (const [name, words, flags] of commands)
    it(`says what to add to the configuration: ${name}`, async () => {
      const { message } = await rejection(runCommand(undefined, name, words, flags), 'PLUGIN_INVALID');
      expect(message).to.include('approvals() ("toolkit/plugins/approvals")').and.include('callsOnce()');
    });

  it('says that without a store approvals are those of one process', async () => {
    expect((await runCommand(inbox().plugin, 'list')).stderr)
      .to.include('each process knows only its own approvals')
      .and.include('storeLibsql()');
  });
});
