import { expect } from 'chai';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { audited, recordsIn, type TrailRecord } from './audited.ts';

const by = { way: 'library', name: 'ann' };

/** A kernel that keeps approvals and a trail, and one gated call that waits for a person. */
async function asking() {
  const tools = [echoTool({ name: 'gated', requires_approval: true })];
  const plugins = [approvalGate({ mode: 'elicit' }), callsOnce(), approvals()];
  const { kernel, file } = await audited({}, { tools, plugins });
  const call = () => kernel.call({ tool: 'gated', parameters: { text: 'hello' }, caller: 'agent', origin: 'model' });
  await rejection(call(), 'APPROVAL_REQUIRED');
  const [record = expect.fail()] = (await kernel.approvals.list()).approvals;
  return { kernel, file, call, record };
}

/** The event of each line that is about the approval; a call by its outcome. */
const told = (records: readonly TrailRecord[]): readonly unknown[] =>
  records.filter(({ event }) => event !== 'intent').map(({ what, outcome }) => what ?? outcome);

describe('the trail of an approval that is kept', () => {
  it('has the question, the yes, the call with its record, and the one run', async () => {
    const { kernel, file, call, record } = await asking();
    await kernel.approvals.decide(record.id, { approve: true, by, reason: 'as agreed' });
    await call();
    await rejection(kernel.approvals.decide(record.id, { approve: false, by: { way: 'library', name: 'bob' } }), 'INVALID_PARAMETERS');
    const records = await recordsIn(file);
    expect([...told(records)].sort()).to.deep.equal(['APPROVAL_REQUIRED', 'approved', 'asked', 'completed', 'rejected', 'used']);
    const line = (what: string): TrailRecord => records.find((each) => each['what'] === what) ?? expect.fail(what);
    const { id, digest } = record;
    for (const what of ['asked', 'approved', 'used', 'rejected'])
      expect(line(what)).to.include({ event: 'approval', id, digest, tool: 'gated', caller: 'agent' });
    expect(line('approved')).to.deep.include({ by, reason: 'as agreed' });
    expect(line('rejected')).to.deep.include({ by: { way: 'library', name: 'bob' }, count: 1 });
    const ran = records.find(({ outcome }) => outcome === 'completed');
    expect(ran).to.have.nested.property('approvals[0].record', id);
    expect(line('approved').seq).to.be.lessThan(ran?.seq ?? 0);
    expect(await verifyTrail(file)).to.include({ problemCount: 0, unfinishedCount: 0 });
  });

  it('has the no, with who said it and why', async () => {
    const { kernel, file, record } = await asking();
    await kernel.approvals.decide(record.id, { approve: false, by, reason: 'not today' });
    const records = await recordsIn(file);
    expect(told(records)).to.deep.equal(['asked', 'APPROVAL_REQUIRED', 'refused']);
    expect(records.at(-1)).to.deep.include({ id: record.id, by, reason: 'not today' });
  });

  it('has the erasure of a caller', async () => {
    const { kernel, file } = await asking();
    await kernel.approvals.erase({ caller: 'agent' }, by);
    expect((await recordsIn(file)).at(-1)).to.deep.include({ event: 'approval', what: 'erased', caller: 'agent', by });
  });

  it('counts answers to an id that there is not', async () => {
    const { kernel, file } = await asking();
    for (let index = 0; index < 50; index++) await rejection(kernel.approvals.decide('gone', { approve: true, by }), 'NOT_FOUND');
    await kernel.close();
    const rejected = (await recordsIn(file)).filter(({ what }) => what === 'rejected');
    expect(rejected.map(({ id, count }) => [id, count])).to.deep.equal([
      ['gone', 1],
      ['gone', 49],
    ]);
  });
});
