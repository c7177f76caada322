import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { send } from './fetching.ts';
import { webTool } from './web-tool.ts';

describe('web_request', () => {
  it('sends method, query, headers and JSON, and gives what comes back', async () => {
    const server = await loopback((_, response) => json(response, { ok: 'ü' }, 201, { 'x-more': 'yes' }));
    const answer = await (await webTool('web_request'))({
      method: 'POST',
      url: `${server.url}/things?a=1`,
      query: { b: [1, 'ü'], c: null, d: { e: true } },
      headers: { 'X-Mine': 'v' },
      body: { name: 'Größe' },
    });
    expect(answer).to.deep.include({ url: `${server.url}/things?a=1&b=1&b=%C3%BC&d=%7B%22e%22%3Atrue%7D`, status: 201, redirects: [] });
    expect(answer).to.include({ body: '{"ok":"ü"}', body_encoding: 'utf8', truncated: false });
    expect(answer).to.have.nested.property('headers.x-more', 'yes');
    const [seen] = server.requests;
    expect({ method: seen?.method, body: seen?.body, type: seen?.headers['content-type'], mine: seen?.headers['x-mine'] }).to.deep.equal({
      method: 'POST',
      body: '{"name":"Größe"}',
      type: 'application/json',
      mine: 'v',
    });
  });

  it('sends a text as it is', async () => {
    const server = await loopback((_, response) => send(response, ''));
    await (await webTool('web_request'))({ method: 'PUT', url: server.url, headers: { 'content-type': 'text/csv' }, body: 'a,ü\r\n' });
    expect(server.requests[0]).to.deep.include({ method: 'PUT', body: 'a,ü\r\n' });
    expect(server.requests[0]?.headers['content-type']).to.equal('text/csv');
  });

  for (const status of [204, 301, 400, 401, 404, 429, 500]) {
    it(`takes the status ${status} for an answer`, async () => {
      const server = await loopback((_, response) => void response.writeHead(status).end());
      expect(await (await webTool('web_request'))({ method: 'GET', url: server.url })).to.include({ status, body: '' });
    });
  }

  it('gives content that is no text as base64, and cuts what is too long', async () => {
    const bytes = Buffer.from([0, 255, 1]);
    const binary = await loopback((_, response) => send(response, bytes, 'application/octet-stream'));
    const call = await webTool('web_request');
    expect(await call({ method: 'GET', url: binary.url })).to.include({ body: bytes.toString('base64'), body_encoding: 'base64' });
    const long = await loopback((_, response) => send(response, 'x'.repeat(1024 * 1024 + 1), 'text/plain'));
    const answer = await call({ method: 'GET', url: long.url });
    expect(answer['truncated']).to.equal(true);
    expect(answer['body']).to.have.lengthOf(1024 * 1024);
  });

  it('leaves the query of the address as it is written', async () => {
    const server = await loopback((_, response) => send(response, ''));
    const url = `${server.url}/?a=%20b&c&d=(1)~#part`;
    await (await webTool('web_request'))({ method: 'GET', url, query: { e: 'f g' } });
    expect(server.requests[0]).to.include({ url: '/?a=%20b&c&d=(1)~&e=f+g' });
  });

  for (const [type, encoding] of [
    ['application/octet-stream', 'base64'],
    ['application/octet-stream; charset=binary', 'base64'],
    ['', 'base64'],
    ['application/x-thing; charset=iso-8859-1', 'utf8'],
    ['text/plain', 'utf8'],
  ] as const) {
    it(`gives bytes that are no UTF-8, of type "${type}", as ${encoding}`, async () => {
      const bytes = Buffer.from('Grüße', 'latin1');
      const server = await loopback((_, response) => send(response, bytes, type));
      const { body, body_encoding } = await (await webTool('web_request'))({ method: 'GET', url: server.url });
      expect({ body, body_encoding }).to.deep.equal({
        body: encoding === 'utf8' ? 'Grüße' : bytes.toString('base64'),
        body_encoding: encoding,
      });
    });
  }

  it('follows redirects, and takes the headers of the caller to no other origin', async () => {
    const other = await loopback((_, response) => send(response, 'there'));
    const server = await loopback(
      (request, response) =>
        void response.writeHead(request.url === '/a' ? 307 : 302, { location: request.url === '/a' ? '/b' : `${other.url}/c` }).end(),
    );
    const answer = await (await webTool('web_request'))({
      method: 'POST',
      url: `${server.url}/a`,
      headers: { authorization: 'Bearer of-the-first', 'x-api-key': 'k', accept: 'text/plain' },
      body: 'x',
    });
    expect(answer).to.deep.include({
      url: `${other.url}/c`,
      redirects: [
        { url: `${server.url}/a`, status: 307 },
        { url: `${server.url}/b`, status: 302 },
      ],
    });
    expect(server.requests.map(({ method, body, headers }) => [method, body, headers['x-api-key']])).to.deep.equal([
      ['POST', 'x', 'k'],
      ['POST', 'x', 'k'],
    ]);
    const [seen] = other.requests;
    expect(seen).to.deep.include({ method: 'GET', body: '' });
    expect(seen?.headers).to.include({ accept: 'text/plain' }).and.not.have.any.keys('authorization', 'x-api-key', 'content-type');
  });

  it('does not follow a redirect into the network', async () => {
    const server = await loopback((_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end());
    await rejection((await webTool('web_request'))({ method: 'GET', url: server.url }), 'OUTBOUND_BLOCKED');
  });

  const wrong = [
    { given: { headers: { Host: 'a' } }, says: 'headers.Host' },
    { given: { headers: { 'x\ny': 'a' } }, says: 'a header name of RFC 9110' },
    { given: { headers: { x: 'a\r\nb: c' } }, says: 'on one line' },
    { given: { headers: { 'Proxy-Authorization': 'Basic x' } }, says: 'headers.Proxy-Authorization' },
    { given: { body: 'x' }, says: 'no body with the method GET' },
    { given: { headers: { 'X-HTTP-Method-Override': 'DELETE' } }, says: 'headers.x-http-method-override' },
    { given: { method: 'OPTIONS', headers: { 'x-method-override': 'PUT' } }, says: 'headers.x-method-override' },
    { given: { url: 'ftp://a.example/' }, says: 'url' },
    { given: { url: 'http://u:p@a.example/' }, says: 'without a user name' },
    { given: { method: 'TRACE' }, says: 'method' },
  ];
  for (const { given, says } of wrong) {
    it(`refuses ${JSON.stringify(given)}`, async () => {
      const call = await webTool('web_request');
      const error = await rejection(call({ method: 'GET', url: 'https://a.example/', ...given }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('ends when its time is over', async () => {
    const server = await loopback(() => {});
    await rejection((await webTool('web_request'))({ method: 'GET', url: server.url, timeout_ms: 200 }), 'TIMEOUT');
  });
});

describe('web_head', () => {
  it('gives status, headers and every redirect', async () => {
    const server = await loopback((request, response) =>
      request.url === '/a'
        ? void response.writeHead(301, { location: '/ü' }).end()
        : void response.writeHead(404, { 'content-length': '7', 'content-type': 'text/plain' }).end(),
    );
    const answer = await (await webTool('web_head'))({ url: `${server.url}/a` });
    expect(answer).to.deep.include({ url: `${server.url}/%C3%BC`, status: 404, redirects: [{ url: `${server.url}/a`, status: 301 }] });
    expect(answer).to.have.nested.property('headers.content-length', '7');
    expect(server.requests.map(({ method }) => method)).to.deep.equal(['HEAD', 'HEAD']);
  });
});

describe('web_graphql', () => {
  const query = 'query ($id: ID!) { thing(id: $id) { name } }';

  it('sends the operation and gives data and errors', async () => {
    const server = await loopback((_, response) => json(response, { data: { thing: { name: 'ü' } }, errors: [{ message: 'half' }] }));
    const answer = await (await webTool('web_graphql'))({
      url: server.url,
      query,
      variables: { id: '7' },
      operation_name: 'Q',
      headers: { 'x-key': 'k' },
    });
    expect(answer).to.deep.equal({ data: { thing: { name: 'ü' } }, errors: [{ message: 'half' }] });
    expect(JSON.parse(server.requests[0]?.body ?? '')).to.deep.equal({ query, variables: { id: '7' }, operationName: 'Q' });
    expect(server.requests[0]?.headers).to.include({ 'content-type': 'application/json', 'x-key': 'k' });
  });

  it('takes errors with a status of 400 for an answer', async () => {
    const server = await loopback((_, response) => json(response, { errors: [{ message: 'syntax' }] }, 400));
    expect(await (await webTool('web_graphql'))({ url: server.url, query })).to.deep.equal({ data: null, errors: [{ message: 'syntax' }] });
  });

  for (const [status, body, code] of [
    [401, 'no', 'AUTH_FAILED'],
    [500, '<h1>no</h1>', 'UPSTREAM_UNAVAILABLE'],
    [200, '<h1>a page</h1>', 'EXECUTION_FAILED'],
    [200, '[]', 'EXECUTION_FAILED'],
    [200, '{"data": 5}', 'EXECUTION_FAILED'],
    [200, '{"errors": "all"}', 'EXECUTION_FAILED'],
  ] as const) {
    it(`fails with ${code} for ${status} and ${body}`, async () => {
      const server = await loopback((_, response) => send(response, body, 'text/html', status));
      await rejection((await webTool('web_graphql'))({ url: server.url, query }), code);
    });
  }
});
