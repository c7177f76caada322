import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import {
  type ApprovalEvent,
  type ApprovalInbox,
  apiVersion,
  ask,
  definePlugin,
  type PluginEntry,
  type Tool,
} from '../../../kernel/index.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { audited, linesIn, recordsIn } from './audited.ts';
import { started } from './faults.ts';

/** A keeper of approvals that keeps none, and reports what a test says. */
function reporter(secret?: string): { readonly plugin: PluginEntry; report(event: ApprovalEvent): void } {
  let report: (event: ApprovalEvent) => void = () => {};
  const keeper = definePlugin({
    name: 'keeper',
    apiVersion,
    apply({ extend, maskAlso }) {
      if (secret !== undefined) maskAlso('PROTECTED', secret);
      extend.approvalInbox((host) => {
        ({ report } = host);
        return { hold: async () => undefined } as unknown as ApprovalInbox;
      });
    },
  });
  return { plugin: keeper(), report: (event) => report(event) };
}

const asked: ApprovalEvent = {
  event: 'asked',
  id: 'a1-b2',
  tool: 'mail_send',
  caller: 'agent',
  tenant: 'shop',
  digest: 'd'.repeat(64),
};

const by = { way: 'command line', name: 'ann' };

const rejected = (id: string, reason: string): ApprovalEvent => ({ event: 'rejected', id, reason, by });

describe('approvals in the audit trail', () => {
  afterEach(() => sinon.restore());

  const events: readonly ApprovalEvent[] = [
    asked,
    { ...asked, event: 'approved', by, reason: 'as agreed' },
    { ...asked, event: 'refused', by: { way: 'webhook', name: 'on-call' }, reason: 'not today' },
    { ...asked, event: 'expired' },
    { ...asked, event: 'void', reason: 'its definition changed' },
    { ...asked, event: 'withdrawn' },
    { ...asked, event: 'used' },
    { event: 'erased', id: '', caller: 'agent', by },
    rejected('a1-b2', 'the digest is of another question'),
  ];
  for (const event of events) {
    it(`have a record in the chain: ${event.event}`, async () => {
      const { plugin, report } = reporter();
      const { kernel, file } = await audited({ key: 'the key of the trail' }, { plugins: [plugin] });
      report(event);
      await kernel.execute('echo');
      const [{ time, hash, ...record } = expect.fail()] = await recordsIn(file);
      const { event: what, ...members } = event;
      const count = what === 'rejected' ? { count: 1 } : {};
      expect(record).to.deep.equal({ seq: 1, previous: '0'.repeat(64), event: 'approval', what, ...members, ...count });
      expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(hash).to.match(/^[0-9a-f]{64}$/);
      expect(await verifyTrail(file, { key: 'the key of the trail' })).to.deep.include({
        records: 2,
        problemCount: 0,
        unfinishedCount: 0,
        notes: [],
      });
    });
  }

  it('are bounded, and say what was cut', async () => {
    const { plugin, report } = reporter();
    const { kernel, file } = await audited({}, { plugins: [plugin] });
    const long = '\u0001\ud800'.repeat(50_000);
    report({
      event: 'refused',
      id: long,
      tool: long,
      caller: long,
      tenant: long,
      digest: long,
      by: { way: long, name: long },
      reason: long,
    });
    await kernel.close();
    const [line = ''] = await linesIn(file);
    expect(Buffer.byteLength(line)).to.be.within(4000, 16 * 1024);
    expect((await recordsIn(file))[0]?.['cut'])
      .to.be.an('array')
      .with.length(8);
    expect(await verifyTrail(file)).to.include({ records: 1, problemCount: 0 });
  });

  it('never have a secret', async () => {
    const { plugin, report } = reporter('protected-value-1');
    const { kernel, file } = await audited({}, { plugins: [plugin] });
    report({ ...asked, event: 'refused', reason: 'it sends protected-value-1', by: { way: 'webhook', name: 'protected-value-1' } });
    await kernel.close();
    expect((await recordsIn(file))[0]).to.deep.include({
      reason: 'it sends [secret PROTECTED]',
      by: { way: 'webhook', name: '[secret PROTECTED]' },
    });
  });

  it('are counted when one wrong answer repeats, and named anew for another reason', async () => {
    const { plugin, report } = reporter();
    const { kernel, file } = await audited({}, { plugins: [plugin] });
    for (let index = 0; index < 5000; index++) report(rejected('a1-b2', 'the signature is wrong'));
    report(rejected('a1-b2', 'it is decided'));
    await kernel.close();
    expect((await recordsIn(file)).map(({ id, reason, count }) => [id, reason, count])).to.deep.equal([
      ['a1-b2', 'the signature is wrong', 1],
      ['a1-b2', 'it is decided', 1],
      ['a1-b2', 'the signature is wrong', 4999],
    ]);
  });

  it('are counted together when wrong answers name ever other ids', async () => {
    const { plugin, report } = reporter();
    const { kernel, file } = await audited({}, { plugins: [plugin] });
    for (let index = 0; index < 5000; index++)
      report({ ...rejected(`id-${index}`, `there is no approval "id-${index}"`), caller: 'agent' });
    await kernel.close();
    const records = await recordsIn(file);
    expect(records).to.have.length(102);
    expect(records.at(-1)).to.deep.include({ what: 'rejected', id: 'others', count: 4899, by }).and.to.not.have.property('caller');
    expect(await verifyTrail(file)).to.include({ records: 102, problemCount: 0 });
  });

  it('wait in memory and are in the log while the file cannot be written, and the approved call does not run before them', async () => {
    const { plugin, report } = reporter();
    const office = definePlugin({
      name: 'office',
      apiVersion,
      apply({ hooks }) {
        const appliesTo = ({ name }: Tool): boolean => name === 'echo';
        hooks.beforeExecute.tap({ name: 'office', appliesTo }, (draft) => ask(draft, { kind: 'rule', message: 'the office decides' }));
        hooks.approve.tap('office', () => {
          disk.room = 0;
          report({ ...asked, event: 'approved', by });
          return { approved: true, by: 'ann' };
        });
      },
    });
    const { kernel, file, logger, disk } = await started({}, { plugins: [plugin, office()] });
    await rejection(kernel.execute('echo'), 'POLICY_DENIED');
    const [entry] = logger.records.filter(({ message }) => message.startsWith('An approval changed, and its audit record'));
    expect(entry).to.deep.include({
      level: 'error',
      meta: { approval: 'a1-b2', event: 'approved', tool: 'mail_send', caller: 'agent' },
    });
    expect(entry?.message).to.include('ENOSPC').and.to.include('waits in memory');
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.execute('count');
    expect((await recordsIn(file)).map(({ what, tool, outcome }) => [tool, what ?? outcome])).to.deep.equal([
      ['count', 'completed'],
      ['mail_send', 'approved'],
      ['echo', 'POLICY_DENIED'],
      ['count', 'completed'],
    ]);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('are kept beyond a thousand that wait, of which a flood of wrong answers takes no more than its counts', async () => {
    const { plugin, report } = reporter();
    const { kernel, file, disk } = await started({}, { plugins: [plugin] });
    disk.room = 0;
    for (let index = 0; index < 2000; index++) report(rejected(`id-${index}`, 'there is none'));
    for (let index = 0; index < 1100; index++) report({ ...asked, event: 'expired', id: `a-${index}` });
    // The writes of this turn of the event loop fail.
    await setImmediate();
    await rejection(kernel.execute('count'), 'POLICY_DENIED');
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.execute('count');
    const records = await recordsIn(file);
    expect(records.filter(({ what }) => what === 'expired')).to.have.length(1100);
    expect(records.filter(({ what }) => what === 'rejected')).to.have.length(101);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('are named in the record of the call that they decided', async () => {
    const office = definePlugin({
      name: 'office',
      apiVersion,
      apply({ hooks }) {
        hooks.beforeExecute.tap('office', (draft) => ask(draft, { kind: 'rule', message: 'the office decides' }));
        hooks.approve.tap('office', () => ({ approved: true, by: 'ann', record: 'a1-b2' }));
      },
    });
    const { kernel, file } = await audited({}, { plugins: [office()] });
    await kernel.execute('echo');
    expect((await recordsIn(file))[0]?.['approvals']).to.deep.equal([{ kind: 'rule', approved: true, by: 'ann', record: 'a1-b2' }]);
  });
});
