import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import { approvalGate } from '../../../../../../plugins/approval-gate/index.ts';
import { checkApproval } from '../../../../../../plugins/cli/commands/doctor/checks/check-approval.ts';
import { checkSecrets } from '../../../../../../plugins/cli/commands/doctor/checks/check-secrets.ts';
import { checkTools } from '../../../../../../plugins/cli/commands/doctor/checks/check-tools.ts';
import { checkUnverifiedApproval } from '../../../../../../plugins/cli/commands/doctor/checks/check-unverified-approval.ts';
import { pluginRows } from '../../../../../../plugins/cli/commands/doctor/plugin-rows.ts';
import { executorCommand } from '../../../../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../../../../plugins/executor-function/index.ts';
import { mcp } from '../../../../../../plugins/mcp/index.ts';
import { policyHuman } from '../../../../../../plugins/policy-human/index.ts';
import { secretsEnv } from '../../../../../../plugins/secrets-env/index.ts';
import { toolFiles } from '../../../../../../plugins/tool-files/index.ts';
import { runChecks } from '../../../../../support/checks.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { bareKernel, testKernel } from '../../../../../support/test-kernel.ts';

const run = { type: 'function', handler: () => null };
const tool = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({ name, description: 'Does it.', execution: run, ...more });

describe('the tools of a project', () => {
  it('are counted by provider, and mistakes are shown with their place', async () => {
    const bad = (name: string) => `name: ${name}\ndescription: Does it.\nriks: low\nexecution: { type: command, command: "true" }\n`;
    const many = Object.fromEntries(Array.from({ length: 8 }, (_none, index) => [`tools/bad${index}.yaml`, bad(`bad${index}`)]));
    const cwd = await temporaryFolder({
      ...many,
      'tools/shop/definition.yaml': 'provider: { name: shop }\n',
      'tools/shop/a.yaml': 'name: a\ndescription: Does it.\nexecution: { type: command, command: "true" }\n',
    });
    const kernel = await bareKernel({ cwd, plugins: [executorCommand(), toolFiles({ toolPaths: ['tools'] })] });
    const [tools, definitions] = checkTools(kernel, cwd);
    expect(tools?.message).to.equal('1: 1 shop');
    expect(definitions?.state).to.equal('problem');
    expect(definitions?.message).to.equal('8 errors: what they stand in is not loaded');
    expect(definitions?.details).to.have.length(6);
    expect(definitions?.details?.[0]).to.match(/^tools\/bad0\.yaml:3:1 riks: /);
    expect(definitions?.details?.[5]).to.equal('and 3 more');
    expect(definitions?.hint).to.include('toolkit validate');
  });

  it('are told to be missing where a configured folder has none', async () => {
    const cwd = await temporaryFolder({ 'empty/.keep': '', 'other/notes.txt': '' });
    const folders = toolFiles({ toolPaths: ['empty', 'other', 'gone'] });
    const kernel = await bareKernel({ cwd, plugins: [executorCommand(), folders] });
    const findings = [...checkTools(kernel, cwd), ...(await runChecks([folders], { kernel, cwd }))];
    expect(findings.map(({ check, state }) => `${check}: ${state}`)).to.deep.equal([
      'Tools: warning',
      'Definitions: problem',
      'Folder: warning',
      'Folder: warning',
    ]);
    expect(findings[1]?.details?.join()).to.include('the tool path "gone" cannot be read');
    expect(findings[3]?.message).to.equal(`${path.join(cwd, 'other')} (toolPaths) holds no definition`);
  });

  it('may be ten thousand: the answer stays short', async () => {
    const kernel = await testKernel({
      tools: Array.from({ length: 10_000 }, (_none, index) => tool(`t${index}`, { secrets: [`KEY_${index}`] })),
    });
    const findings = [...checkTools(kernel, '/'), ...(await checkSecrets(kernel, '/')), checkApproval(kernel)];
    expect(findings.length).to.be.lessThan(10);
    expect(Math.max(...findings.map(({ message }) => message.length))).to.be.lessThan(400);
  });
});

describe('the secrets of a project', () => {
  const shop = definePlugin({
    name: 'shop',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tap('shop', (sink) => {
        sink.addProvider({ provider: { name: 'shop', documentation_url: 'https://shop.example/keys' } });
        for (const name of ['a', 'b']) sink.addTool(tool(name, { secrets: ['SHOP_KEY', 'SHOP_NAME'] }), {}, 'shop');
      }),
  });

  it('are told where they are missing, by provider, and never their values', async () => {
    const kernel = await bareKernel({ plugins: [executorFunction(), shop(), secretsEnv({ env: { SHOP_NAME: 'hunter2' } })] });
    const [resolvers, missing] = await checkSecrets(kernel, '/');
    expect(resolvers).to.deep.equal({ check: 'Secrets', state: 'ok', message: 'resolvers, in order: secrets-env' });
    expect(missing).to.deep.equal({
      check: 'Secrets',
      state: 'warning',
      message: 'shop: SHOP_KEY missing; 2 tools cannot run without',
      hint: 'Set the environment variable, or add to a configured store. Where to get it: https://shop.example/keys',
    });
  });

  it('are not checked further where a store fails, which is a problem', async () => {
    const broken = definePlugin({
      name: 'store',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.resolveSecrets.tap('store', () => {
          throw new Error('connection refused');
        }),
    });
    const kernel = await bareKernel({ plugins: [executorFunction(), shop(), broken()] });
    const [store, rest] = await checkSecrets(kernel, '/');
    expect(store?.state).to.equal('problem');
    expect(store?.message).to.match(/^resolvers, in order: store\. .*connection refused/);
    expect(rest).to.deep.include({ state: 'not checked', message: '2 names that were not found yet' });
  });

  it('have no resolver', async () => {
    const [finding] = await checkSecrets(await bareKernel({ plugins: [executorFunction(), shop()] }), '/');
    expect(finding?.message).to.equal('no resolver is configured: tools that need a secret cannot run');
  });
});

describe('approval', () => {
  const gated = tool('gated', { risk: 'high', requires_approval: true });
  const open = tool('open', { risk: 'high' });
  const cases = [
    {
      what: 'no tool of high risk',
      tools: [tool('low', { risk: 'low' })],
      plugins: [],
      says: /^no tool of high risk is offered$/,
      state: 'ok',
    },
    {
      what: 'gate mode flag',
      tools: [gated, open],
      plugins: [approvalGate()],
      says: /^2 high-risk tools offered: 1 runs when the caller claims .*; 1 runs without approval$/,
      state: 'warning',
    },
    { what: 'gate mode elicit', tools: [gated], plugins: [approvalGate({ mode: 'elicit' })], says: /a person is asked/, state: 'ok' },
    {
      what: 'gate mode elicit beside a tool that requires no approval',
      tools: [gated, open],
      plugins: [approvalGate({ mode: 'elicit' })],
      says: /^2 high-risk tools offered: 1 runs without approval$/,
      state: 'warning',
    },
    {
      what: 'the human policy',
      tools: [gated, open],
      plugins: [approvalGate(), policyHuman({ enableHITL: true })],
      says: /a person is asked \(policy-human\)/,
      state: 'ok',
    },
    {
      what: 'risky tools left out',
      tools: [gated, tool('low', { risk: 'low' })],
      plugins: [approvalGate(), mcp({ excludeTools: ['gated'] })],
      says: /^no tool/,
      state: 'ok',
    },
    {
      what: 'a filter that matches nothing',
      tools: [gated],
      plugins: [mcp({ tools: ['gtaed'] })],
      says: /matches no tool/,
      state: 'problem',
    },
  ];
  for (const { what, tools, plugins, says, state } of cases) {
    it(`is ${state} with ${what}`, async () => {
      const finding = checkApproval(await testKernel({ tools, plugins }));
      expect(finding.message).to.match(says);
      expect(finding.state).to.equal(state);
    });
  }
});

describe('the own word of the model', () => {
  const gated = tool('gated', { risk: 'medium', requires_approval: true });
  const risky = tool('risky', { risk: 'high', requires_approval: { mode: 'all' }, parameters: { mode: { type: 'string' } } });
  const cases = [
    { what: 'gate mode flag', plugins: [approvalGate()], held: ['none: gated, risky'] },
    {
      what: 'gate mode elicit with the flag in place of a client that cannot ask',
      plugins: [approvalGate({ mode: 'elicit', elicitFallback: 'flag' })],
      held: ['none: gated, risky'],
    },
    { what: 'gate mode elicit', plugins: [approvalGate({ mode: 'elicit' })], held: undefined },
    { what: 'gate mode strict', plugins: [approvalGate({ mode: 'strict' })], held: undefined },
    { what: 'the human policy, from high risk on', plugins: [approvalGate(), policyHuman({ enableHITL: true })], held: ['none: gated'] },
    { what: 'a tool left out', plugins: [approvalGate(), mcp({ excludeTools: ['risky'] })], held: ['none: gated'] },
  ];
  for (const { what, plugins, held } of cases)
    it(`holds back ${held ?? 'nothing'} with ${what}`, async () => {
      const kernel = await testKernel({ tools: [gated, risky, tool('open', { risk: 'high' })], plugins });
      const [finding] = checkUnverifiedApproval(kernel);
      expect(finding?.details).to.deep.equal(held);
      if (finding !== undefined) expect(finding.hint).to.include('--approval elicit');
    });
});

describe('the plugins', () => {
  it('are shown in their order, with hooks in the order of a call, and commands', async () => {
    const both = definePlugin({
      name: 'both',
      version: '1.2.3',
      apiVersion,
      commands: [{ name: 'do it', description: 'Does it.', run: async () => {} }],
      apply({ hooks }) {
        hooks.settled.tap('both', () => {});
        hooks.approve.tap('label', () => undefined);
        hooks.approve.tap('both', () => undefined);
      },
    });
    const rows = pluginRows(await bareKernel({ plugins: [both(), approvalGate()] }));
    expect(rows).to.deep.equal([
      { name: 'both', version: '1.2.3', hooks: ['approve', 'settled'], commands: ['do it'] },
      { name: 'approval-gate', hooks: ['beforeExecute', 'approve', 'serve'], commands: ['tools pending'] },
    ]);
  });
});
