import { expect } from 'chai';
import { renderUrl } from '../../../../plugins/executor-http/request/url.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { httpTool } from '../http-tool.ts';

describe('executor-http: URL', () => {
  const pathValues = [
    { value: 'plain-name_1.txt', sent: 'plain-name_1.txt' },
    { value: 'a/b', sent: 'a%2Fb' },
    { value: '/etc/passwd', sent: '%2Fetc%2Fpasswd' },
    { value: 'what?admin=1', sent: 'what%3Fadmin%3D1' },
    { value: 'top#part', sent: 'top%23part' },
    { value: '100%', sent: '100%25' },
    { value: '%41', sent: '%2541' },
    { value: 'two words', sent: 'two%20words' },
    { value: 'Grüße 東京 🚀', sent: 'Gr%C3%BC%C3%9Fe%20%E6%9D%B1%E4%BA%AC%20%F0%9F%9A%80' },
    { value: `"it's"`, sent: "%22it's%22" },
    { value: 'line\nbreak\u0000', sent: 'line%0Abreak%00' },
    { value: '...', sent: '...' },
    { value: '..hidden', sent: '..hidden' },
    { value: 42, sent: '42' },
    { value: true, sent: 'true' },
    { value: ['a', 'b'], sent: '%5B%22a%22%2C%22b%22%5D' },
  ];
  for (const { value, sent } of pathValues) {
    it(`keeps ${JSON.stringify(value)} inside its path segment`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const call = await httpTool({ execution: { url: `${url}/files/{id}/content` } });
      await call({ id: value });
      expect(requests.map((request) => request.url)).to.deep.equal([`/files/${sent}/content`]);
      expect(decodeURIComponent(sent)).to.equal(typeof value === 'string' ? value : JSON.stringify(value));
    });
  }

  const refusedInPath = [
    '.',
    '..',
    '../admin',
    'a/../b',
    'a/..',
    '%2e%2e',
    '%2E',
    '.%2e',
    '..%2f..%2fadmin',
    '..%5cadmin',
    '..\\admin',
    'a\\b',
    '',
  ];
  for (const value of refusedInPath) {
    it(`refuses ${JSON.stringify(value)} in the path and sends nothing`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const call = await httpTool({ execution: { url: `${url}/files/{id}/content` } });
      const error = await rejection(call({ id: value }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('"id"').and.to.include('URL path');
      expect(error.details.issues).to.have.lengthOf(1);
      expect(requests).to.deep.equal([]);
    });
  }

  const queryValues = [
    { value: 'a&admin=1', sent: 'a%26admin%3D1' },
    { value: '../..', sent: '..%2F..' },
    { value: 'C:\\temp', sent: 'C%3A%5Ctemp' },
    { value: 'c#d +e', sent: 'c%23d%20%2Be' },
    { value: '', sent: '' },
  ];
  for (const { value, sent } of queryValues) {
    it(`percent-encodes ${JSON.stringify(value)} in the query of the URL`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const call = await httpTool({ execution: { url: `${url}/search?q={text}&page=1` } });
      await call({ text: value });
      expect(requests[0]?.url).to.equal(`/search?q=${sent}&page=1`);
    });
  }

  const hosts = [
    { template: 'https://{dc}.api.example.com/3.0', values: { dc: 'us19' }, sent: 'https://us19.api.example.com/3.0' },
    { template: 'https://api.example.com:{port}/x', values: { port: 8443 }, sent: 'https://api.example.com:8443/x' },
    { template: 'https://{host}/{id}', values: { host: 'files.example.com', id: 'a/b' }, sent: 'https://files.example.com/a%2Fb' },
    { template: '{base}/v1/{id}', values: { base: 'https://example.com/api/', id: 7 }, sent: 'https://example.com/api/v1/7' },
    { template: '{base}?q={id}', values: { base: 'https://example.com/find', id: 'a b' }, sent: 'https://example.com/find?q=a%20b' },
    { template: '{link}', values: { link: 'https://example.com/dir/?a=b%20c#end' }, sent: 'https://example.com/dir/?a=b%20c#end' },
    { template: '{link}', values: { link: 'http://example.com/dir/' }, sent: 'http://example.com/dir/' },
    { template: 'https://example.com/{{id}}', values: {}, sent: 'https://example.com/%7Bid%7D' },
  ];
  for (const { template, values, sent } of hosts) {
    it(`fills ${template} in as ${sent}`, () => {
      expect(renderUrl(template, (name) => (values as Record<string, unknown>)[name]).href).to.equal(sent);
    });
  }

  const refusedHosts = [
    { template: 'https://{dc}.api.example.com/', value: 'evil.com/', expected: 'part of a host name' },
    { template: 'https://{dc}.api.example.com/', value: 'evil.com#', expected: 'part of a host name' },
    { template: 'https://{dc}.api.example.com/', value: 'user@evil.com:80', expected: 'part of a host name' },
    { template: 'https://{dc}.api.example.com/', value: 'ev%69l', expected: 'part of a host name' },
    { template: 'https://{dc}.api.example.com/', value: '', expected: 'part of a host name' },
    { template: 'https://api.example.com:{dc}/', value: '80@evil.com', expected: 'part of a host name' },
    { template: 'https://api.example.com:{dc}/', value: 'http', expected: 'not valid once its placeholders are filled in' },
    { template: '{dc}', value: 'ftp://example.com/', expected: 'an absolute http or https URL' },
    { template: '{dc}', value: 'file:///etc/passwd', expected: 'an absolute http or https URL' },
    { template: '{dc}', value: '/relative', expected: 'an absolute http or https URL' },
    { template: '{dc}', value: 'https://user:pass@example.com/', expected: 'without a user name and password' },
    { template: '{dc}/v1', value: 'https://example.com/?stolen=', expected: 'a base URL' },
    { template: '{dc}/v1', value: 'https://example.com/#', expected: 'a base URL' },
  ];
  for (const { template, value, expected } of refusedHosts) {
    it(`refuses ${JSON.stringify(value)} in ${template}`, () => {
      expect(() => renderUrl(template, () => value)).to.throw(expected);
    });
  }

  it('says which parameter the URL lacks', async () => {
    const call = await httpTool({ execution: { url: 'https://example.com/{id}' } });
    const error = await rejection(call({}), 'INVALID_PARAMETERS');
    expect(error.message).to.equal('Parameter "id" is part of the URL and was not given. Give it, or declare it "required: true".');
    expect(error.details.issues).to.deep.equal([{ path: 'id', message: 'is required' }]);
  });

  it('keeps a host that a parameter names away from private addresses', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const { port } = new URL(url);
    for (const execution of [{ url: `http://{host}:${port}/` }, { url: `http://127.0.0.{host}:${port}/` }]) {
      const call = await httpTool({ execution });
      await rejection(call({ host: execution.url.includes('127') ? '1' : 'localhost' }), 'OUTBOUND_BLOCKED');
    }
    expect(requests).to.deep.equal([]);
  });

  it('calls a private host that a parameter names once the operator allows it', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const call = await httpTool({ execution: { url: '{link}' }, allow: ['127.0.0.1'] });
    await call({ link: `${url}/dir/?x=1` });
    expect(requests.map((request) => request.url)).to.deep.equal(['/dir/?x=1']);
  });
});
