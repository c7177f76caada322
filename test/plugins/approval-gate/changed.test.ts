import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginEntry } from '../../../kernel/index.ts';
import type { GateRequest } from '../../../plugins/approval-gate/index.ts';
import { type HumanRequest, policyHuman } from '../../../plugins/policy-human/index.ts';
import { policyRules } from '../../../plugins/policy-rules/index.ts';
import { cloned } from '../../tools/core/git/remotes.ts';
import { failure, textOf } from '../mcp/support/client.ts';
import { boundWorld, isAskedAgain, type World } from './bound-world.ts';

/** A tool that reads a file in a folder which is not one of tools. */
const files = {
  'tools/pay.yaml': `
name: pay
description: Pays.
parameters: { order: { type: string, required: true, path: read } }
requires_approval: true
execution: { type: function, code: ./pay.mjs }
`,
  'tools/pay.mjs': 'import { readFileSync } from "node:fs";\nexport default ({ order }) => readFileSync(order, "utf8");\n',
  'order.txt': '1 apple',
};

const options = { toolPaths: ['tools'] };
const parameters = { order: 'order.txt' };
const change = ({ write }: Pick<World, 'write'>): Promise<void> => write({ 'order.txt': '9 pears' });

const changed = /^its "order\.txt" \(from file of 7 bytes, sha256 \w{12} to file of 7 bytes, sha256 \w{12}\)$/;

describe('a thing that changes while somebody is asked about it', () => {
  it('is not what an approval token was handed out for, which the refusal says', async () => {
    const world = await boundWorld({ files, options, gate: { mode: 'strict' } });
    failure(await world.call('pay', parameters), 'APPROVAL_REQUIRED');
    const token = world.requests[0]?.token?.() ?? '';
    await change(world);
    const { message } = failure(await world.call('pay', { ...parameters, _toolkit_approved: token }), 'APPROVAL_REQUIRED');
    expect(message).to.include('"order.txt" is not what was approved');
    await world.write({ 'order.txt': '1 apple' });
    expect(textOf(await world.call('pay', { ...parameters, _toolkit_approved: token }))).to.equal('1 apple');
  });

  it('is not what a token for a push was handed out for, when it is another commit', async () => {
    const { project, folder, remote } = await cloned();
    const before = await remote.git('rev-parse', 'main');
    await project.commit('Shown', { a: '' });
    const world = await boundWorld({ folder, gate: { mode: 'strict' }, options: { toolPaths: [], includeCore: true } });
    const given = { repository: path.basename(project.folder) };
    failure(await world.call('git_push', given), 'APPROVAL_REQUIRED');
    const token = world.requests[0]?.token?.() ?? '';
    expect(world.requests[0]?.content).to.match(/^refs\/heads\/main at \w{40}: Shown$/);
    await project.commit('Unseen', { b: '' });
    const { message } = failure(await world.call('git_push', { ...given, _toolkit_approved: token }), 'APPROVAL_REQUIRED');
    expect(message).to.include('content is not what was approved');
    expect(await remote.git('rev-parse', 'main')).to.equal(before);
  });

  for (const agrees of [true, false])
    it(`is put to the host once more, whose second answer ${agrees ? 'yes' : 'no'} counts`, async () => {
      const requests: GateRequest[] = [];
      const onApproval = async (request: GateRequest): Promise<boolean> => {
        requests.push(request);
        await change(world);
        return agrees || requests.length === 1;
      };
      const world: World = await boundWorld({ files, options, gate: { mode: 'elicit', onApproval } });
      const result = await world.call('pay', parameters);
      if (agrees) expect(textOf(result)).to.equal('9 pears');
      else failure(result, 'APPROVAL_DENIED');
      expect(requests.map((request) => request.changed?.length)).to.deep.equal([undefined, 1]);
      expect(requests[1]?.changed?.[0]).to.match(changed);
      expect(requests[0]?.files?.['order.txt']).to.match(/^file of 7 bytes, sha256 /);
    });

  const person = (requests: HumanRequest[], world: () => World): PluginEntry =>
    policyHuman({
      enableHITL: true,
      onHITL: async (request) => {
        requests.push(request);
        await change(world());
        return true;
      },
    });

  it('is put to the human policy once more in mode flag, and the word of the model is not asked for again', async () => {
    const requests: HumanRequest[] = [];
    const world: World = await boundWorld({ files, options, gate: {}, plugins: [person(requests, () => world)] });
    expect(textOf(await world.call('pay', { ...parameters, _toolkit_approved: true }))).to.equal('9 pears');
    expect(requests.map((request) => request.changed?.length)).to.deep.equal([undefined, 1]);
  });

  it('is put to the person once more for the reason of a rule', async () => {
    const rules = [{ match: { tool: 'pay' }, effect: 'ask' as const, reason: 'it pays' }];
    const world = await boundWorld({ files, options, gate: {}, plugins: [policyRules({ rules })], meanwhile: change });
    failure(await world.call('pay', { ...parameters, _toolkit_approved: true }), 'APPROVAL_DENIED');
    expect(world.questions.map(isAskedAgain)).to.deep.equal([false, true]);
    expect(world.questions[1])
      .to.match(/\nreason: .*it pays/)
      .and.match(/\nchanged since your answer: its "order\.txt"/);
    expect(world.questions[0]).to.match(/\non disk:\n {2}"order\.txt": "file of 7 bytes, sha256 \w{12}"\n/);
  });

  it('refuses the call where only the model has answered, and where it changes after the last answer', async () => {
    const late = definePlugin({
      name: 'late',
      apiVersion,
      apply: ({ hooks, cwd }) =>
        hooks.execute.for('*').tap('late', () => {
          writeFileSync(path.join(cwd, 'order.txt'), '9 pears');
          return undefined;
        }),
    });
    const world = await boundWorld({ files, options, gate: {}, plugins: [late()] });
    const { message } = failure(await world.call('pay', { ...parameters, _toolkit_approved: true }), 'APPROVAL_DENIED');
    expect(message).to.include('was approved, but not run: since the question, its "order.txt"');
  });

  it('does not void a yes where nothing of it changed', async () => {
    const world = await boundWorld({ files, options, gate: { mode: 'elicit' }, meanwhile: ({ write }) => write({ 'other.txt': '' }) });
    expect(textOf(await world.call('pay', parameters))).to.equal('1 apple');
    expect(world.questions).to.have.lengthOf(1);
  });
});
