import { expect } from 'chai';
import type { Plugin, StateStore } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { checkRecords } from '../../../../plugins/approvals/checks/check-records.ts';
import { approvals } from '../../../../plugins/approvals/index.ts';
import { recordKeys } from '../../../../plugins/approvals/records/record-keys.ts';
import { callsOnce } from '../../../../plugins/calls-once/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

describe('the check of kept approval records', () => {
  it('counts what waits and not what is decided, and finds a record that was changed', async () => {
    let state: StateStore | undefined;
    const keeper = approvals();
    const watched: Plugin = {
      ...keeper,
      apply(api) {
        ({ state } = api);
        return keeper.apply(api);
      },
    };
    const tools = [echoTool({ name: 'gated', requires_approval: true })];
    const kernel = await testKernel({ tools, plugins: [approvalGate({ mode: 'elicit' }), callsOnce(), watched] });
    const found = async () => (await checkRecords(kernel.approvals, 0)).map(({ state: of, message }) => `${of}: ${message}`);
    expect(await found()).to.deep.equal([]);
    for (const text of ['a', 'b', 'c'])
      await rejection(kernel.call({ tool: 'gated', parameters: { text }, origin: 'model' }), 'APPROVAL_REQUIRED');
    const { approvals: records } = await kernel.approvals.list();
    const [newest, middle, oldest] = records.map(({ id }) => id) as [string, string, string];
    expect(await found()).to.deep.equal([`ok: 3 calls wait for a person, the oldest for less than a minute (${oldest})`]);
    await kernel.approvals.decide(oldest, { approve: false, by: { way: 'library', name: 'ann' } });
    await state?.set(recordKeys.record(newest), 'another text');
    expect(await found()).to.deep.equal([
      `ok: 1 call waits for a person, the oldest for less than a minute (${middle})`,
      'warning: 1 record of approvals that this process cannot read: written with another key, changed, or by a later version',
    ]);
  });
});
