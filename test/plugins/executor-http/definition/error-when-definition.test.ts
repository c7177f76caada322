import { expect } from 'chai';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { authTool } from '../auth-tool.ts';

describe('executor-http: error_when of a provider', () => {
  async function provided(own?: object): Promise<() => Promise<unknown>> {
    const { url } = await loopback((_request, response) => json(response, { ok: false, failed: true }));
    const kernel = await testKernel({
      providers: [{ provider: { name: 'acme' }, base_url: url, error_when: { path: 'ok', equals: false } }],
      tools: [
        {
          name: 'probe',
          description: 'Probe.',
          provider: 'acme',
          execution: { type: 'http', method: 'get', url: '/' },
          ...(own === undefined ? {} : { error_when: own }),
        },
        { name: 'local', description: 'Runs here.', provider: 'acme', execution: { type: 'function', handler: () => ({ ok: false }) } },
      ],
      plugins: [executorHttp()],
    });
    return async (tool = 'probe') => (await kernel.call({ tool })).output;
  }

  it('holds for its http tools', async () => {
    await rejection((await provided())(), 'EXECUTION_FAILED');
  });

  it('gives way to the one of the tool', async () => {
    expect(await (await provided({ path: 'none', exists: true }))()).to.deep.equal({ ok: false, failed: true });
    await rejection((await provided({ path: 'failed', equals: true, code_path: 'failed', codes: { true: 'NOT_FOUND' } }))(), 'NOT_FOUND');
  });

  it('does not hold for its other tools', async () => {
    const call = (await provided()) as (tool: string) => Promise<unknown>;
    expect(await call('local')).to.deep.equal({ ok: false });
  });
});

describe('executor-http: error_when that is wrong', () => {
  const refused = [
    { why: 'without a condition', rule: { path: 'ok' }, path: 'error_when', says: 'has neither of "equals" and "exists"' },
    { why: 'with two conditions', rule: { path: 'ok', equals: null, exists: true }, path: 'error_when', says: 'has both of' },
    {
      why: 'with a code that there is not',
      rule: { path: 'ok', equals: false, code_path: 'e', codes: { a: 'NOPE' } },
      path: 'error_when.codes.a',
      says: 'expected one of "AUTH_FAILED"',
    },
    {
      why: 'with a code that no service can mean',
      rule: { path: 'ok', equals: false, code_path: 'e', codes: { a: 'APPROVAL_REQUIRED' } },
      path: 'error_when.codes.a',
      says: 'received string "APPROVAL_REQUIRED"',
    },
    {
      why: 'with codes that are nowhere',
      rule: { path: 'ok', equals: false, codes: { a: 'NOT_FOUND' } },
      path: 'error_when',
      says: 'code_path',
    },
    {
      why: 'with a mistyped key',
      rule: { path: 'ok', equals: false, code_pth: 'e' },
      path: 'error_when.code_pth',
      says: 'Did you mean "code_path"',
    },
    { why: 'without a path', rule: { equals: false }, path: 'error_when.path', says: 'is required' },
    { why: 'that exists: false', rule: { path: 'ok', exists: false }, path: 'error_when.exists', says: 'expected true' },
  ];
  for (const { why, rule, path, says } of refused) {
    it(`refuses a tool with one ${why}`, async () => {
      const { problems } = await authTool({ execution: { url: 'https://example.com/' }, definition: { error_when: rule } });
      expect(problems.map(({ severity, code, path: at }) => ({ severity, code, at }))).to.deep.equal([
        { severity: 'error', code: 'TOOL_INVALID', at: path },
      ]);
      expect(problems[0]?.message).to.include(says);
    });
  }

  it('names the provider that it comes from', async () => {
    const kernel = await testKernel({
      providers: [{ provider: { name: 'acme' }, error_when: { path: 'ok' } }],
      tools: [
        { name: 'probe', description: 'Probe.', provider: 'acme', execution: { type: 'http', method: 'get', url: 'https://example.com/' } },
      ],
      plugins: [executorHttp()],
    });
    expect(kernel.registry.problems.map(({ message }) => message)).to.deep.equal([
      'of the provider "acme" has neither of "equals" and "exists". Keep one of the two',
    ]);
  });

  it('is refused where no plugin puts it into effect', async () => {
    const kernel = await testKernel({
      tools: [
        {
          name: 'probe',
          description: 'Probe.',
          error_when: { path: 'ok', equals: false },
          execution: { type: 'function', handler: () => null },
        },
      ],
    });
    expect(kernel.registry.problems.map(({ path, severity }) => ({ path, severity }))).to.deep.equal([
      { path: 'error_when', severity: 'error' },
    ]);
  });
});
