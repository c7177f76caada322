import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { apiVersion, type CallRequest, definePlugin, type ErrorCode, ToolkitError } from '../../kernel/index.ts';
import { executorHttp } from '../../plugins/executor-http/index.ts';
import { policyRules } from '../../plugins/policy-rules/index.ts';
import { standard } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';
import { filesOf, readGuide } from './guide.ts';

const files = filesOf(await readGuide('plugins/toolkit/OPERATING.md'));

/** Answers in place of every tool. */
const instead = definePlugin({
  name: 'instead',
  apiVersion,
  apply: ({ hooks }) => hooks.execute.for('*').tap('instead', () => ({ output: 'ran' })),
});

const http = (name: string, method: string, url: string) =>
  echoTool({ name, parameters: {}, execution: { type: 'http', method, url }, risk: 'low' });

const tools = [
  echoTool({ name: 'note_delete' }),
  echoTool({ name: 'wipe', risk: 'high' }),
  echoTool({ name: 'pay', provider: 'shop', tags: ['payment'], parameters: { amount: { type: 'number' } }, risk: 'high' }),
  http('orders', 'get', 'https://api.example.com/orders'),
  http('order_add', 'post', 'https://api.example.com/orders'),
  http('partner_list', 'get', 'https://x.partner.example/'),
];

async function policed() {
  const logger = memoryLogger();
  const cwd = await temporaryFolder(files);
  const providers = [{ provider: { name: 'shop' } }];
  const kernel = await testKernel({ tools, providers, cwd, logger, plugins: [executorHttp(), instead(), policyRules()] });
  const end = (call: CallRequest): Promise<ErrorCode | 'ran'> =>
    kernel.call(call).then(
      () => 'ran',
      (error: unknown) => {
        if (ToolkitError.is(error)) return error.code;
        throw error;
      },
    );
  return { end, logger };
}

const cases: readonly { readonly what: string; readonly call: CallRequest; readonly end: ErrorCode | 'ran' }[] = [
  { what: 'refuses a model that deletes', call: { tool: 'note_delete', origin: 'model' }, end: 'POLICY_DENIED' },
  { what: 'lets the host delete', call: { tool: 'note_delete', origin: 'host' }, end: 'ran' },
  { what: 'asks about a tool of high risk', call: { tool: 'wipe' }, end: 'APPROVAL_REQUIRED' },
  { what: 'lets a small payment through', call: { tool: 'pay', parameters: { amount: 100 } }, end: 'ran' },
  { what: 'asks about a large payment', call: { tool: 'pay', parameters: { amount: 101 } }, end: 'APPROVAL_REQUIRED' },
  { what: 'asks about a payment without an amount', call: { tool: 'pay' }, end: 'APPROVAL_REQUIRED' },
  { what: 'lets the night shift read', call: { tool: 'orders', caller: 'night-1' }, end: 'ran' },
  { what: 'refuses the night shift that writes', call: { tool: 'order_add', caller: 'night-1' }, end: 'POLICY_DENIED' },
  { what: 'lets the day shift write', call: { tool: 'order_add', caller: 'day-1' }, end: 'ran' },
];

describe('the guide to operating', () => {
  for (const { what, call, end } of cases)
    it(`has a policy that ${what}`, async () => {
      expect(await (await policed()).end(call)).to.equal(end);
    });

  it('has a rule in shadow, which only logs', async () => {
    const { end, logger } = await policed();
    expect(await end({ tool: 'partner_list' })).to.equal('ran');
    expect(logger.records.map(({ message }) => message).join('\n')).to.match(/policy in shadow would ask: .*partners/);
  });

  it('has a configuration for a container whose options are known', () => {
    const { plugins } = parse(files['conf/toolkit.config.yaml'] ?? '') as { plugins: readonly (readonly [string, { roots?: string[] }])[] };
    const [[preset, options] = ['', {}], [trail] = ['']] = plugins;
    expect([preset, trail]).to.deep.equal(['toolkit/standard', 'toolkit/plugins/audit-trail']);
    expect(standard(options)).to.not.be.empty;
    expect(path.isAbsolute(options.roots?.[0] ?? '')).to.equal(true);
  });
});
