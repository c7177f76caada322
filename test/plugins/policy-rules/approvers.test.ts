import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type ApprovalInbox, apiVersion, definePlugin, type Plugin, ToolkitError } from '../../../kernel/index.ts';
import { type ApprovalWay, approvalWays } from '../../../plugins/shared/approval/approval-ways.ts';
import { rejection } from '../../support/rejection.ts';
import { awaitedLogger } from './awaited-logger.ts';
import { type PolicyOptions, policed } from './policed.ts';

const undecided = new ToolkitError('APPROVAL_REQUIRED', 'Nobody has decided.');

/** A keeper of records that nobody decides, with these ways to approve. */
function approvers(...ways: readonly ApprovalWay[]): Plugin {
  return definePlugin({
    name: 'approvals',
    apiVersion,
    apply: ({ extend }) => {
      extend.approvalInbox(() => ({ hold: () => Promise.reject(undecided) }) as unknown as ApprovalInbox);
      for (const way of ways) extend.fact(approvalWays, way);
    },
  })();
}

const ann: ApprovalWay = { way: 'command line', names: ['ann'] };
const keys: ApprovalWay = { way: 'webhook', names: ['desk', 'night'] };
const twoOf = (tool: string, more = ''): string =>
  `rules:\n  - name: wire\n    match: { tool: ${tool} }\n    effect: ask\n    approvers: 2\n${more}`;
const atLeastTwo: NonNullable<PolicyOptions['rules']>[number] = { name: 'wire', match: { tool: 'pay' }, effect: 'ask', approvers: 2 };

describe('approvers of a rule', () => {
  for (const [what, value, says] of [
    ['none', 0, 'expected '],
    ['more than ten', 11, 'expected '],
    ['a half one', 1.5, 'expected integer'],
    ['a text', '"2"', 'expected integer'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const text = `rules:\n  - effect: ask\n    approvers: ${value}`;
      const error = await rejection(policed({}, { files: { 'policy.yaml': text } }), 'CONFIG_INVALID');
      expect(error.message).to.include(`policy.yaml:3:5 rules[0].approvers: ${says}`);
    });

  for (const effect of ['allow', 'deny'])
    it(`is refused in a rule with the effect ${effect}`, async () => {
      const text = `rules:\n  - effect: ${effect}\n    approvers: 2`;
      const error = await rejection(policed({}, { files: { 'policy.yaml': text } }), 'CONFIG_INVALID');
      expect(error.message).to.include('policy.yaml:3:5 rules[0].approvers: has an effect only with "effect: ask"');
    });

  it('is refused in a rule of the configuration that does not ask', async () => {
    const error = await rejection(policed({ rules: [{ effect: 'deny', approvers: 2 }] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('rules[0].approvers has an effect only with');
  });

  it('refuses the start of a configuration in which nothing counts approvers', async () => {
    const error = await rejection(policed({ rules: [atLeastTwo] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('"approvers" of rule "wire" demands 2 approvers, and no plugin counts them');
  });

  for (const [where, start] of [
    ['the file', () => policed({}, { files: { 'policy.yaml': twoOf('pay') }, plugins: [approvers(ann)] })],
    ['the configuration', () => policed({ rules: [atLeastTwo] }, { plugins: [approvers(ann)] })],
    [
      'the file, although onApproval is one more name: it is not asked about rules',
      () =>
        policed(
          {},
          { files: { 'policy.yaml': twoOf('pay') }, plugins: [approvers(ann, { way: 'onApproval', names: ['host'], kinds: ['gate'] })] },
        ),
    ],
  ] as const)
    it(`refuses the start with fewer names, from ${where}`, async () => {
      const error = await rejection(start(), 'PLUGIN_INVALID');
      expect(error.message).to.include('"approvers" of rule "wire" demands 2 approvers').and.to.include('1 possible name');
    });

  const sources: readonly (readonly [what: string, options: PolicyOptions, file?: string])[] = [
    ['with names enough', {}, twoOf('pay')],
    ['with names enough, in the configuration', { rules: [atLeastTwo] }],
  ];
  for (const [what, options, file] of sources)
    it(`is given with the reason ${what}`, async () => {
      const { kernel, verdictOf } = await policed(options, {
        files: file === undefined ? {} : { 'policy.yaml': file },
        plugins: [approvers(keys)],
      });
      expect(kernel.approvals.areKept).to.equal(true);
      expect((await verdictOf({ tool: 'pay' })).reasons.map(({ approvers: count }) => count)).to.deep.equal([2]);
    });

  it('does not count in a rule, or a policy, that is only watched', async () => {
    await policed({ rules: [{ ...atLeastTwo, shadow: true }] }, { plugins: [approvers()] });
    await policed({ rules: [atLeastTwo], shadow: true }, { plugins: [approvers()] });
  });

  it('leaves the rules as they were when it comes with a reload and names are too few, and says so', async () => {
    const { logger, next } = awaitedLogger('The rules that were loaded before stay in force.');
    const files = { 'policy.yaml': 'rules:\n  - { match: { tool: pay }, effect: deny }\n' };
    const { kernel, folder, effectOf } = await policed({ watch: false }, { files, plugins: [approvers(ann)], logger });
    await writeFile(path.join(folder, 'policy.yaml'), twoOf('pay'));
    const refused = next();
    await kernel.reload();
    await refused;
    expect(await effectOf({ tool: 'pay' })).to.equal('deny');
    const errors = logger.records.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(errors.join()).to.include('"approvers" of rule "wire" demands 2 approvers, and this configuration has 1 possible name');
  });
});

describe('the version of a reason', () => {
  const other = '  - { name: other, match: { tool: sum }, effect: deny }\n';
  const versions = async (text: string, tool = 'pay'): Promise<readonly (string | undefined)[]> => {
    const { verdictOf } = await policed({}, { files: { 'policy.yaml': text }, plugins: [approvers(keys)] });
    return (await verdictOf({ tool })).reasons.map(({ version }) => version);
  };

  it('is a digest of the rule that asks', async () => {
    const [version] = await versions(twoOf('pay'));
    expect(version).to.match(/^[0-9a-f]{64}$/);
  });

  it('stays when another rule is added or the members of the rule come in another order', async () => {
    const before = await versions(twoOf('pay'));
    expect(await versions(twoOf('pay', other))).to.deep.equal(before);
    expect(await versions('rules:\n  - { approvers: 2, effect: ask, match: { tool: pay }, name: wire }\n')).to.deep.equal(before);
    expect(await versions(`default: { high: deny }\n${twoOf('pay', other)}`)).to.deep.equal(before);
  });

  for (const [what, text] of Object.entries({
    'its condition': "rules:\n  - { name: wire, match: { tool: pay }, effect: ask, approvers: 2, when: 'true' }\n",
    'the number of approvers': 'rules:\n  - { name: wire, match: { tool: pay }, effect: ask }\n',
    'its reason': 'rules:\n  - { name: wire, match: { tool: pay }, effect: ask, approvers: 2, reason: New. }\n',
    'its match': 'rules:\n  - { name: wire, match: { tool: [pay] }, effect: ask, approvers: 2 }\n',
  }))
    it(`changes with ${what}`, async () => {
      expect(await versions(text)).to.not.deep.equal(await versions(twoOf('pay')));
    });

  it('of a default effect is a digest of that effect, and changes with no other', async () => {
    const before = await versions('default: { high: ask }\n');
    expect(before[0]).to.match(/^[0-9a-f]{64}$/);
    expect(await versions(`default: { high: ask, low: deny }\nrules:\n${other}`)).to.deep.equal(before);
    expect(await versions('default: { medium: ask }\n', 'sum')).to.not.deep.equal(before);
  });
});
