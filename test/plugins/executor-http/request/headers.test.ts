import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { httpTool } from '../http-tool.ts';

describe('executor-http: headers', () => {
  const sent = [
    { template: 'Bearer {value}', value: 'abc', header: 'Bearer abc' },
    { template: '{value}', value: 'a, b; c="d"', header: 'a, b; c="d"' },
    { template: '{value}', value: 7, header: '7' },
    { template: '{value}', value: false, header: 'false' },
    { template: '{value}', value: ['a'], header: '["a"]' },
    { template: '{value}', value: 'tab\there', header: 'tab\there' },
    { template: '{value}', value: 'caf\u00e9', header: 'caf\u00e9' },
    { template: 'v={{value}}', value: 'x', header: 'v={value}' },
  ];
  for (const { template, value, header } of sent) {
    it(`sends ${JSON.stringify(value)} in "${template}" as ${JSON.stringify(header)}`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const call = await httpTool({ execution: { url, headers: { 'X-Value': template } }, parameters: { value: {} } });
      await call({ value });
      expect(requests[0]?.headers['x-value']).to.equal(header);
    });
  }

  const refused = [
    { what: 'a carriage return', value: 'a\rX-Admin: 1', expected: 'a value without line breaks' },
    { what: 'a line feed', value: 'a\nX-Admin: 1', expected: 'a value without line breaks' },
    { what: 'both', value: 'a\r\n\r\nGET /admin HTTP/1.1', expected: 'a value without line breaks' },
    { what: 'a line break at the end', value: 'a\n', expected: 'a value without line breaks' },
    { what: 'a NUL', value: 'a\u0000b', expected: 'a value without line breaks' },
    { what: 'another control character', value: 'a\u001bb', expected: 'characters of ISO 8859-1 only' },
    { what: 'characters outside Latin-1', value: '東京', expected: 'characters of ISO 8859-1 only' },
    { what: 'a typographic quote', value: 'it’s', expected: 'characters of ISO 8859-1 only' },
  ];
  for (const { what, value, expected } of refused) {
    it(`refuses ${what} and sends nothing`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const call = await httpTool({ execution: { url, headers: { 'X-Value': 'v={value}' } } });
      const error = await rejection(call({ value }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('"value"').and.to.include(expected);
      expect(requests).to.deep.equal([]);
    });
  }

  it('names a credential that holds a line break without showing it', async () => {
    const call = await httpTool({
      execution: { url: 'https://example.com/', headers: { Authorization: 'Bearer {API_TOKEN}' } },
      env: { API_TOKEN: 'super-secret\nvalue' },
    });
    const error = await rejection(call(), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"API_TOKEN"');
    expect(JSON.stringify(error)).to.not.include('super-secret');
  });

  it('leaves a header out when its optional placeholder was not given', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const headers = { 'X-Trace': '{trace}', 'If-Match': '"{etag}"', 'X-Fixed': 'yes' };
    const call = await httpTool({ execution: { url, headers } });
    await call({ etag: 'e1' });
    expect(requests[0]?.headers).to.include({ 'if-match': '"e1"', 'x-fixed': 'yes' });
    expect(requests[0]?.headers).to.not.have.property('x-trace');
  });

  it('carries JSON of any characters by json_compact, with "ascii"', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const parameter_encoding = { source: ['value'], target: 'made', encoding: 'json_compact', options: { ascii: true } };
    const call = await httpTool({
      execution: { url, headers: { 'X-Value': '{made}' }, parameter_encoding },
      parameters: { value: {} },
    });
    for (const value of ['Grüße\r\n🚀', ['a', 1], { k: '\ud800"' }, 7]) await call({ value });
    expect(requests.map(({ headers }) => headers['x-value'])).to.deep.equal([
      '"Gr\\u00fc\\u00dfe\\r\\n\\ud83d\\ude80"',
      '["a",1]',
      '{"k":"\\ud800\\""}',
      '7',
    ]);
  });

  it('names the parameter of a described header that it refuses', async () => {
    const call = await httpTool({
      execution: { url: 'https://example.com/', headers: { 'X-Value': { value: '{API_TOKEN}' } } },
      env: { API_TOKEN: 'super-secret\nvalue' },
    });
    const error = await rejection(call(), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"API_TOKEN"').and.to.not.include('super-secret');
  });
});
