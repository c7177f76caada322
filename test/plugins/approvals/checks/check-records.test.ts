import { expect } from 'chai';
import { type ApprovalFilter, type ApprovalPage, type ApprovalRecord, ToolkitError } from '../../../../kernel/index.ts';
import { checkRecords } from '../../../../plugins/approvals/checks/check-records.ts';
import { rejection } from '../../../support/rejection.ts';

const now = 1_000_000_000_000;

const waiting = (id: string, ageMs: number, tool = 'pay'): ApprovalRecord =>
  ({ id, tool, status: 'waiting', createdAt: now - ageMs }) as ApprovalRecord;

/** The messages for pages that a store returns, in order. */
async function messages(pages: readonly ApprovalPage[]): Promise<readonly string[]> {
  const asked: ApprovalFilter[] = [];
  const list = async (filter: ApprovalFilter = {}): Promise<ApprovalPage> => {
    asked.push(filter);
    return pages[asked.length - 1] ?? { approvals: [] };
  };
  const findings = await checkRecords({ list }, now);
  for (const [index, { status, after }] of asked.entries())
    expect({ status, after }).to.deep.equal({ status: 'waiting', after: index === 0 ? undefined : pages[index - 1]?.next });
  return findings.map(({ state, message, details = [] }) => [`${state}: ${message}`, ...details].join('; '));
}

describe('the check of approval records', () => {
  it('says nothing where no call waits', async () => {
    expect(await messages([{ approvals: [] }])).to.deep.equal([]);
  });

  it('counts the calls that wait, over all pages, and names the oldest and the tools', async () => {
    const pages = [{ approvals: [waiting('c', 1000), waiting('b', 60_000, 'mail')], next: 'b' }, { approvals: [waiting('a', 7_200_000)] }];
    expect(await messages(pages)).to.deep.equal(['ok: 3 calls wait for a person, the oldest for 2 hours (a); tools: pay, mail']);
  });

  const ages: readonly (readonly [ms: number, text: string])[] = [
    [-5000, 'less than a minute'],
    [59_999, 'less than a minute'],
    [60_000, '1 minute'],
    [3_599_999, '59 minutes'],
    [3_600_000, '1 hour'],
    [86_399_999, '23 hours'],
    [864_000_000, '10 days'],
  ];
  for (const [ms, text] of ages) {
    it(`says how long it has waited: ${ms} ms`, async () => {
      expect(await messages([{ approvals: [waiting('a', ms)] }])).to.deep.equal([
        `ok: 1 call waits for a person, the oldest for ${text} (a); tools: pay`,
      ]);
    });
  }

  it('stops after ten pages, and says that there are more', async () => {
    const page = { approvals: [waiting('a', 60_000)], unreadable: 1, next: 'a' };
    const [calls, records, ...rest] = await messages(Array.from({ length: 20 }, () => page));
    expect(calls).to.include('at least 10 calls wait');
    expect(records).to.include('at least 10 records');
    expect(rest).to.deep.equal([]);
  });

  it('warns of records that this process cannot read', async () => {
    expect(await messages([{ approvals: [], unreadable: 1 }])).to.deep.equal([
      'warning: 1 record of approvals that this process cannot read: written with another key, changed, or by a later version',
    ]);
  });

  it('leaves a store that is away to its own check, and no other error', async () => {
    const failing = (code: 'STATE_UNAVAILABLE' | 'CONFIG_INVALID') => ({
      list: async (): Promise<ApprovalPage> => {
        throw new ToolkitError(code, 'it is away');
      },
    });
    expect(await checkRecords(failing('STATE_UNAVAILABLE'), now)).to.deep.equal([]);
    await rejection(checkRecords(failing('CONFIG_INVALID'), now), 'CONFIG_INVALID');
  });
});
