import { expect } from 'chai';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { httpTool } from '../http-tool.ts';

describe('executor-http: definition', () => {
  const refused = [
    { why: 'a relative URL without a provider', execution: { url: '/things' }, message: 'expected a provider file with "base_url"' },
    { why: 'another scheme', execution: { url: 'ftp://example.com/' }, message: 'expected an absolute http or https URL' },
    {
      why: 'a placeholder that could lengthen the host',
      execution: { url: '{BASE_URL}{path}' },
      message: 'expected "/" after the placeholder',
    },
    { why: 'a credential in the URL', execution: { url: 'https://user:{PASSWORD}@example.com/' }, message: 'which belong in a header' },
    {
      why: 'a header name with a space',
      execution: { url: 'https://example.com/', headers: { 'X Y': '1' } },
      message: '"X Y" is not a header name',
    },
    {
      why: 'a placeholder as header name',
      execution: { url: 'https://example.com/', headers: { '{name}': '1' } },
      message: '"{name}" is not a header name',
    },
    {
      why: 'body and form together',
      execution: { url: 'https://example.com/', method: 'post', body: {}, form: {} },
      message: 'cannot stand beside "body"',
    },
    {
      why: 'a GET request with a body',
      execution: { url: 'https://example.com/', body: { a: 1 } },
      message: 'cannot be sent with the method "get"',
    },
    {
      why: 'a HEAD request with a form',
      execution: { url: 'https://example.com/', method: 'head', form: { a: 1 } },
      message: 'cannot be sent with the method "head"',
    },
    { why: 'an unknown method', execution: { url: 'https://example.com/', method: 'fetch' }, message: 'expected one of "get"' },
    {
      why: 'an undeclared placeholder',
      execution: { url: 'https://example.com/{id}' },
      parameters: {},
      message: 'uses the placeholder {id}',
    },
  ];
  for (const { why, execution, parameters, message } of refused) {
    it(`refuses ${why}`, async () => {
      const call = await httpTool({ execution, ...(parameters === undefined ? {} : { parameters }) });
      const error = await rejection(call(), 'TOOL_INVALID');
      expect(error.message).to.include(message);
    });
  }

  const risks = [
    { method: 'get', risk: 'low' },
    { method: 'head', risk: 'low' },
    { method: 'options', risk: 'low' },
    { method: 'post', risk: 'medium' },
    { method: 'put', risk: 'medium' },
    { method: 'patch', risk: 'medium' },
    { method: 'delete', risk: 'high' },
  ];
  for (const { method, risk } of risks) {
    it(`takes a ${method} tool that declares no risk for ${risk}`, async () => {
      const tool = { name: 'probe', description: 'Probe.', execution: { type: 'http', method, url: 'https://example.com/' } };
      const kernel = await testKernel({ tools: [tool], plugins: [executorHttp()] });
      expect(kernel.registry.get('probe').risk).to.equal(risk);
    });
  }

  it("puts the provider's base URL before a relative URL and its headers below the tool's own", async () => {
    const kernel = await testKernel({
      providers: [
        { provider: { name: 'acme' }, base_url: 'https://api.acme.example/v2/', headers: { Accept: 'text/plain', 'X-Version': '1' } },
      ],
      tools: [
        {
          name: 'probe',
          description: 'Probe.',
          provider: 'acme',
          execution: { type: 'http', method: 'get', url: '/things', headers: { accept: 'application/json' } },
        },
      ],
      plugins: [executorHttp()],
    });
    const { execution } = kernel.registry.get('probe');
    expect(execution).to.include({ url: 'https://api.acme.example/v2/things' });
    expect(execution['headers']).to.deep.equal({ 'X-Version': '1', accept: 'application/json' });
  });
});
