import { expect } from 'chai';
import { policyRules } from '../../../plugins/policy-rules/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { code, definitionOf, HeldWorld } from './held-world.ts';

/** Rules that ask for `pay` and for another tool. */
const rulesOf = ({ when = 'params.amount > 0', other = 'it is another' } = {}): string => `
rules:
  - name: pays
    match: { tool: pay }
    when: '${when}'
    effect: ask
    reason: it pays
  - name: others
    match: { tool: other }
    effect: ask
    reason: ${other}
`;

describe('an approval of a held call', () => {
  describe('for the same caller, tool and arguments', () => {
    it('lets one call run, with its keys in another order, and asks anew about the next', async () => {
      const world = await HeldWorld.open();
      const id = await world.held({ amount: 1, to: { name: 'ada', town: 'Ulm' } });
      await world.decide(id, true);
      expect(world.runs).to.deep.equal([]);
      expect(await world.pay({ to: { town: 'Ulm', name: 'ada' }, amount: 1 })).to.deep.equal({ paid: 1 });
      expect((await world.show(id)).status).to.equal('used');
      expect(await world.held({ amount: 1, to: { name: 'ada', town: 'Ulm' } })).to.not.equal(id);
      expect(world.runs).to.deep.equal([1]);
    });

    it('lets one call run in another process', async () => {
      const world = await HeldWorld.open();
      const another = await world.another();
      const id = await world.held({ amount: 1 });
      await another.decide(id, true);
      const ends = await Promise.allSettled([another.pay({ amount: 1 }), world.pay({ amount: 1 })]);
      expect(world.runs).to.deep.equal([1]);
      expect(ends.filter(({ status }) => status === 'fulfilled')).to.not.deep.equal([]);
    });

    it('counts for nobody else', async () => {
      const world = await HeldWorld.open();
      const id = await world.held({ amount: 1 });
      await world.decide(id, true);
      expect(await world.held({ amount: 1 }, { caller: 'other agent' })).to.not.equal(id);
      expect(await world.held({ amount: 1 }, { tenant: 'other tenant' })).to.not.equal(id);
      expect(world.runs).to.deep.equal([]);
      expect(await world.pay({ amount: 1 })).to.deep.equal({ paid: 1 });
    });
  });

  describe('with changed arguments', () => {
    for (const [what, changed] of [
      ['another value', { amount: 2, to: { name: 'ada' } }],
      ['another value inside', { amount: 1, to: { name: 'bob' } }],
      ['one more', { amount: 1, to: { name: 'ada', town: 'Ulm' } }],
      ['one less', { amount: 1 }],
      ['another type', { amount: 1, to: { name: ['ada'] } }],
    ] as const)
      it(`is refused: ${what}`, async () => {
        const world = await HeldWorld.open();
        const approved = { amount: 1, to: { name: 'ada' } };
        const id = await world.held(approved);
        await world.decide(id, true);
        const other = await world.held(changed);
        expect(other).to.not.equal(id);
        expect(await world.show(other)).to.deep.include({ status: 'waiting', count: 1 });
        expect(world.runs).to.deep.equal([]);
        expect(await world.pay(approved)).to.deep.equal({ paid: 1 });
        expect(world.runs).to.deep.equal([1]);
      });
  });

  describe('is refused', () => {
    /** Has a call approved, changes something, and calls again. */
    const expectVoid = async (world: HeldWorld, files: Readonly<Record<string, string>>, changed: RegExp): Promise<void> => {
      const id = await world.held({ amount: 1 });
      await world.decide(id, true);
      await world.change(files);
      const next = await world.held({ amount: 1 });
      expect(next).to.not.equal(id);
      expect(world.runs).to.deep.equal([]);
      expect((await world.show(id)).status).to.equal('void');
      const { replaces, status } = await world.show(next);
      expect(status).to.equal('waiting');
      expect(replaces?.id).to.equal(id);
      expect(replaces?.changed.join()).to.match(changed);
      expect(await world.trail()).to.satisfy((records: readonly Readonly<Record<string, unknown>>[]) =>
        records.some((record) => record['what'] === 'void' && record['id'] === id),
      );
      await world.decide(next, true);
      expect(await world.pay({ amount: 1 })).to.deep.equal({ paid: 1 });
      expect(world.runs).to.deep.equal([1]);
    };

    it('when the definition has changed', async () => {
      await expectVoid(await HeldWorld.open(), { 'tools/pay.yaml': definitionOf({ description: 'Pays twice.' }) }, /definition/);
    });

    it('when the code of the tool has changed', async () => {
      await expectVoid(await HeldWorld.open(), { 'tools/pay.mjs': `// Another.\n${code}` }, /definition|code|pay\.mjs/);
    });

    it('when the rule that asked has changed', async () => {
      const world = await HeldWorld.open({ files: { 'policy.yaml': rulesOf() }, plugins: [policyRules({ watch: false })] });
      await expectVoid(world, { 'policy.yaml': rulesOf({ when: 'params.amount > 0.5' }) }, /rule|policy/);
    });

    it('when a rule has come that asks as well', async () => {
      const world = await HeldWorld.open({ plugins: [policyRules({ watch: false })] });
      await expectVoid(world, { 'policy.yaml': rulesOf() }, /rule|policy/);
    });

    it('not when a rule of another tool has changed', async () => {
      const world = await HeldWorld.open({ files: { 'policy.yaml': rulesOf() }, plugins: [policyRules({ watch: false })] });
      const id = await world.held({ amount: 1 });
      await world.decide(id, true);
      await world.change({ 'policy.yaml': rulesOf({ other: 'it is another one' }) });
      expect(await world.pay({ amount: 1 })).to.deep.equal({ paid: 1 });
      expect(world.runs).to.deep.equal([1]);
    });

    it('when it has expired', async () => {
      const world = await HeldWorld.open({ options: { ttlMs: 1000 } });
      const id = await world.held({ amount: 1 });
      const { expiresAt } = await world.decide(id, true);
      await until(() => (Date.now() > expiresAt ? true : undefined));
      expect(await world.held({ amount: 1 })).to.not.equal(id);
      expect(world.runs).to.deep.equal([]);
    });
  });

  describe('that nobody gives', () => {
    it('is a denial in the audit trail, and refuses a call that still waits', async () => {
      const world = await HeldWorld.open({ options: { ttlMs: 1000, waitMs: 240_000 } });
      const error = await rejection(world.pay({ amount: 1 }), 'APPROVAL_DENIED');
      expect(error.message).to.match(/nobody|expired|in time/i);
      expect(world.runs).to.deep.equal([]);
      const [asked] = (await world.kernel.approvals.list()).approvals;
      expect(asked?.status).to.equal('expired');
      const trail = await world.trail();
      expect(trail.filter((record) => record['event'] === 'approval').map((record) => [record['what'], record['id']])).to.deep.equal([
        ['asked', asked?.id],
        ['expired', asked?.id],
      ]);
      expect(trail.filter((record) => record['outcome'] === 'APPROVAL_DENIED')).to.have.length(1);
    });

    it('cannot be given late', async () => {
      const world = await HeldWorld.open({ options: { ttlMs: 1000 } });
      const id = await world.held({ amount: 1 });
      const { expiresAt } = await world.show(id);
      await until(() => (Date.now() > expiresAt ? true : undefined));
      const { details } = await rejection(world.decide(id, true), 'INVALID_PARAMETERS');
      expect(details['decided']).to.deep.include({ status: 'expired' });
      const { status, decisions } = await world.show(id);
      expect({ status, decisions }).to.deep.equal({ status: 'expired', decisions: [] });
      expect(world.runs).to.deep.equal([]);
      const whats = (await world.trail()).filter((record) => record['id'] === id).map((record) => record['what']);
      expect(whats).to.include.members(['asked', 'expired', 'rejected']);
    });
  });
});
