import { expect } from 'chai';
import type { Terminal } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { person } from '../../cli/commands/run/person.ts';
import { MemoryInbox, record } from './memory-inbox.ts';
import { account, type Ran, runCommand } from './run-command.ts';

type Flags = Readonly<Record<string, unknown>>;

const run = (inbox: MemoryInbox, name: string, words: readonly string[], flags: Flags = {}, terminal?: Terminal): Promise<Ran> =>
  runCommand(inbox.plugin, name, words, flags, terminal);

const by = `${account.name} (command line)`;

describe('toolkit approvals approve and refuse', () => {
  it('shows the call, asks, and decides with the digest that was shown', async () => {
    const inbox = new MemoryInbox(record('a-1'));
    const { stdout, stderr } = await run(inbox, 'approve', ['a-1'], {}, person(['Approve it?', 'y']));
    expect(stderr).to.include('"item": "anvil"').and.include('d'.repeat(64));
    expect(inbox.decided).to.deep.equal([{ id: 'a-1', answer: { approve: true, by: account, digest: 'd'.repeat(64) } }]);
    expect(stdout).to.equal(
      `The approval "a-1" of "shop_order" is approved by ${by}: it runs once, where its client waits, else by the next equal call of "ada", until 2026-02-01 12:00:00 UTC.\n`,
    );
  });

  it('decides nothing where the person does not', async () => {
    const inbox = new MemoryInbox(record('a-1'));
    for (const keys of ['n', '\r', '\u0003']) await rejection(run(inbox, 'approve', ['a-1'], {}, person(['Approve it?', keys])), 'ABORTED');
    expect(inbox.decided).to.deep.equal([]);
  });

  it('asks nobody where nobody is there', async () => {
    const inbox = new MemoryInbox(record('a-1'), record('b-2'));
    for (const [words, flags] of [
      [['a-1'], {}],
      [['a-1', 'b-2'], {}],
      [[], { all: true }],
    ] as const) {
      const { message } = await rejection(run(inbox, 'refuse', words, flags), 'INVALID_PARAMETERS');
      expect(message).to.include('There is no terminal to ask at.').and.include('--yes');
    }
    expect(inbox.decided).to.deep.equal([]);
  });

  it('takes a digest for an answer about what was seen, and for no other', async () => {
    const inbox = new MemoryInbox(record('a-1'));
    await rejection(run(inbox, 'approve', ['a-1'], { digest: 'f'.repeat(64) }), 'INVALID_PARAMETERS');
    expect(inbox.decided).to.deep.equal([]);
    await run(inbox, 'approve', ['a-1'], { digest: 'd'.repeat(64) });
    expect(inbox.decided).to.have.length(1);
  });

  it('refuses with a reason, and for later calls as well', async () => {
    const inbox = new MemoryInbox(record('a-1'));
    const { stdout } = await run(inbox, 'refuse', ['a-1'], { yes: true, reason: 'wrong shop', hold: 'tool' });
    const answer = { approve: false, by: account, reason: 'wrong shop', hold: 'tool', digest: 'd'.repeat(64) };
    expect(inbox.decided).to.deep.equal([{ id: 'a-1', answer }]);
    expect(stdout).to.equal(`The approval "a-1" of "shop_order" is refused by ${by}: it will not run.\n`);
  });

  it('says that another name must approve as well', async () => {
    const inbox = new MemoryInbox(record('a-1', { approvers: 2 }));
    expect((await run(inbox, 'approve', ['a-1'], { yes: true })).stdout).to.include(`has the yes of ${by}: it still needs one other name`);
  });

  it('says who decided what, to a later one and to one who was slower', async () => {
    const decision = { approve: false, by: { way: 'webhook', name: 'bob' }, at: Date.UTC(2026, 0, 31, 13), reason: 'no' };
    const late = new MemoryInbox(record('a-1', { status: 'refused', decisions: [decision] }));
    const error = await rejection(run(late, 'approve', ['a-1'], { yes: true }), 'INVALID_PARAMETERS');
    expect(error.message).to.equal(
      'The approval "a-1" does not wait, it is refused: bob (webhook) refused it at 2026-01-31 13:00:00 UTC (no). Nothing was changed.',
    );
    expect(error.details['decided']).to.deep.equal({ status: 'refused', decisions: [decision] });
    const race = new MemoryInbox(record('a-1'));
    race.beforeDecision = (id) => void race.records.set(id, record(id, { status: 'refused' }));
    const lost = await rejection(run(race, 'approve', ['a-1'], {}, person(['Approve it?', 'y'])), 'INVALID_PARAMETERS');
    expect(lost.message).to.include('is decided: bob (webhook) refused it');
  });

  it('prints the decided record as JSON', async () => {
    const { stdout } = await run(new MemoryInbox(record('a-1')), 'approve', ['a-1'], { yes: true, json: true });
    // No number: of the test.
    expect(JSON.parse(stdout)).to.deep.include({ id: 'a-1', status: 'approved', digest: 'd'.repeat(64) });
  });
});

describe('toolkit approvals approve, of several', () => {
  const three = (): MemoryInbox =>
    new MemoryInbox(record('c-3', { tool: 'shop_pay' }), record('b-2', { digest: 'b'.repeat(64) }), record('a-1', { caller: 'bob' }));

  it('shows how many and a table, asks once, and decides each by its own digest', async () => {
    const inbox = three();
    const { stdout, stderr, code } = await run(inbox, 'approve', ['a-1', 'b-2', 'a-1'], {}, person(['Approve these 2?', 'y']));
    expect(stderr)
      .to.match(/^2 approvals wait:\nId +Age/m)
      .and.match(/^b-2 /m)
      .and.not.match(/^c-3/m);
    expect(inbox.decided.map(({ id, answer }) => [id, answer.digest])).to.deep.equal([
      ['a-1', 'd'.repeat(64)],
      ['b-2', 'b'.repeat(64)],
    ]);
    expect({ stdout, code }).to.deep.equal({ stdout: `Approved 2 of 2 by ${by}.\n`, code: 0 });
  });

  it('decides all of a filter with --yes, one decision each', async () => {
    const inbox = three();
    const { stdout, stderr } = await run(inbox, 'refuse', [], { all: true, tool: 'shop_order', caller: 'bob', yes: true });
    expect(inbox.filters).to.deep.equal([{ tool: 'shop_order', caller: 'bob' }]);
    expect(inbox.decided.map(({ id }) => id)).to.deep.equal(['a-1']);
    expect(stderr).to.include('1 approval waits:');
    expect(stdout).to.equal(`Refused 1 of 1 by ${by}.\n`);
  });

  it('decides only what the person saw: not what came while they read', async () => {
    const inbox = three();
    const terminal = person(['Approve these 2?', 'y']);
    inbox.beforeDecision = () => void inbox.records.set('d-4', record('d-4'));
    await run(inbox, 'approve', [], { all: true, tool: 'shop_order' }, terminal);
    expect(inbox.decided.map(({ id }) => id)).to.deep.equal(['b-2', 'a-1']);
    expect(inbox.records.get('d-4')?.status).to.equal('waiting');
  });

  it('says which it could not decide, and ends with 1', async () => {
    const inbox = three();
    inbox.beforeDecision = (id) => void (id === 'b-2' && inbox.records.set(id, record(id, { status: 'refused' })));
    const { stdout, code } = await run(inbox, 'approve', [], { all: true, yes: true });
    expect(stdout).to.equal(`b-2: The approval "b-2" is decided: bob (webhook) refused it.\nApproved 2 of 3 by ${by}.\n`);
    expect(code).to.equal(1);
  });

  it('shows all of them, beyond a page', async () => {
    const inbox = new MemoryInbox(...Array.from({ length: 250 }, (_none, index) => record(`r-${index}`)));
    inbox.unreadable = 1;
    const { stdout, stderr } = await run(inbox, 'refuse', [], { all: true }, person(['Refuse these 250?', 'y']));
    expect(stderr).to.include('250 approvals wait:').and.include('r-249').and.include('cannot be read here');
    expect(stdout).to.include('Refused 250 of 250');
  });

  it('says that nothing waits', async () => {
    expect((await run(new MemoryInbox(), 'approve', [], { all: true })).stdout).to.equal('No approvals wait.\n');
  });

  const refused: readonly (readonly [readonly string[], Flags, string])[] = [
    [[], {}, 'Say which: toolkit approvals approve <id>'],
    [['a-1'], { all: true }, 'not both'],
    [['a-1'], { tool: 'shop_order' }, 'add --all'],
    [[], { all: true, digest: 'd' }, '--digest is for one approval'],
    [['a-1', 'b-2'], { arguments: '{}' }, '--arguments is for one approval'],
  ];
  for (const [words, flags, message] of refused)
    it(`refuses ${JSON.stringify([words, flags])}`, async () => {
      const inbox = three();
      const error = await rejection(run(inbox, 'approve', words, { yes: true, ...flags }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(message);
      expect(inbox.decided).to.deep.equal([]);
    });
});

describe('toolkit approvals approve --arguments', () => {
  it('asks about other arguments as a new record, after both were shown', async () => {
    const inbox = new MemoryInbox(record('a-1'));
    const { stdout, stderr } = await run(inbox, 'approve', ['a-1'], { arguments: '{"item":"feather"}' }, person(['instead?', 'y']));
    expect(stderr).to.match(/Arguments\n {2}"item": "anvil"[\s\S]*With these arguments instead\n {2}"item": "feather"/);
    expect(stdout).to.equal(
      `The approval "a-1" is refused, and "a-1-next" asks about "shop_order" with these arguments. Nothing is approved yet: toolkit approvals approve a-1-next --digest ${'e'.repeat(64)}\n`,
    );
    expect(inbox.records.get('a-1')?.status).to.equal('refused');
    expect(inbox.records.get('a-1-next')?.shown.parameters).to.deep.equal({ item: 'feather' });
  });

  it('never rounds a number', async () => {
    const inbox = new MemoryInbox(record('a-1'));
    await run(inbox, 'approve', ['a-1'], { arguments: '{"item":12345678901234567890}', yes: true });
    expect(inbox.records.get('a-1-next')?.shown.parameters).to.deep.equal({ item: '12345678901234567890' });
  });

  const masked = record('a-1', { shown: { description: '', parameters: { key: '[secret SHOP_KEY]' }, identity: {} } });
  const refused: readonly (readonly [string, Flags, string])[] = [
    ['text that is no JSON, without repeating it', { arguments: '{hidden-value' }, '--arguments is not JSON'],
    ['JSON that is no object', { arguments: '[1]' }, 'expected a JSON object'],
    ['a digest of something else', { arguments: '{}', digest: 'f'.repeat(64) }, 'has another digest'],
    ['a reason, which belongs to a decision', { arguments: '{}', reason: 'x' }, '--reason belongs to a decision'],
    ['the mask of a secret, which would be sent as it stands', { arguments: '{"key":"[secret SHOP_KEY]"}' }, 'stands for a secret'],
  ];
  for (const [what, flags, message] of refused)
    it(`refuses ${what}`, async () => {
      const inbox = new MemoryInbox(masked);
      const error = await rejection(run(inbox, 'approve', ['a-1'], { yes: true, ...flags }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(message).and.not.include('hidden-value');
      expect(inbox.records.size).to.equal(1);
      expect(inbox.decided).to.deep.equal([]);
    });
});
