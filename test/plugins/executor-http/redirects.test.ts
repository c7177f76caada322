import { expect } from 'chai';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { httpTool } from './http-tool.ts';

/** A server whose /start redirects to `location` and which answers everything else. */
async function redirecting(status: number, location: string): Promise<{ url: string; requests: SeenRequest[] }> {
  return loopback((request, response) => {
    if (request.url.startsWith('/start')) response.writeHead(status, { location }).end();
    else json(response, { path: request.url });
  });
}

const headers = { Authorization: 'Bearer {API_TOKEN}', 'X-Api-Key': 'k {API_KEY}', 'X-Trace': '{trace}', Accept: 'application/json' };
const env = { API_TOKEN: 'secret-token', API_KEY: 'secret-key' };

describe('executor-http: redirects', () => {
  const methods = [
    { status: 301, method: 'post', becomes: 'GET' },
    { status: 302, method: 'post', becomes: 'GET' },
    { status: 302, method: 'put', becomes: 'PUT' },
    { status: 303, method: 'put', becomes: 'GET' },
    { status: 307, method: 'post', becomes: 'POST' },
    { status: 308, method: 'patch', becomes: 'PATCH' },
  ];
  for (const { status, method, becomes } of methods) {
    it(`follows ${status} after ${method} with ${becomes}`, async () => {
      const { url, requests } = await redirecting(status, '/end?x=1');
      const call = await httpTool({ execution: { method, url: `${url}/start`, headers, body: { a: '{a}', key: '{API_KEY}' } }, env });
      const { output } = await call({ a: 'x', trace: 't1' });
      expect(output).to.deep.equal({ path: '/end?x=1' });
      const second = requests[1];
      expect({ method: second?.method, body: second?.body, type: second?.headers['content-type'] }).to.deep.equal(
        becomes === 'GET'
          ? { method: 'GET', body: '', type: undefined }
          : { method: becomes, body: '{"a":"x","key":"secret-key"}', type: 'application/json' },
      );
      expect(second?.headers).to.include({ authorization: 'Bearer secret-token', 'x-api-key': 'k secret-key', 'x-trace': 't1' });
    });
  }

  it('hands no credential to another origin', async () => {
    const elsewhere = await loopback((_request, response) => json(response, {}));
    const { url } = await redirecting(302, `${elsewhere.url}/end`);
    const call = await httpTool({ execution: { url: `${url}/start`, headers }, env, allow: ['127.0.0.1'] });
    await call({ trace: 't1' });
    const [request] = elsewhere.requests;
    expect(request?.headers).to.include({ 'x-trace': 't1', accept: 'application/json' });
    expect(request?.headers).to.not.have.any.keys('authorization', 'x-api-key');
    expect(JSON.stringify(request)).to.not.include('secret');
  });

  for (const execution of [{ body: { key: '{API_KEY}' } }, { body: 'key={API_KEY}' }, { form: { key: '{API_KEY}' } }]) {
    it(`does not send ${JSON.stringify(execution)} on to another origin`, async () => {
      const elsewhere = await loopback((_request, response) => json(response, {}));
      const { url } = await redirecting(307, `${elsewhere.url}/end`);
      const call = await httpTool({ execution: { method: 'post', url: `${url}/start`, ...execution }, env, allow: ['127.0.0.1'] });
      const error = await rejection(call(), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include(new URL(elsewhere.url).host).and.to.include('the body holds a credential');
      expect(elsewhere.requests).to.deep.equal([]);
    });
  }

  it('sends a body without credentials on to another origin', async () => {
    const elsewhere = await loopback((_request, response) => json(response, {}));
    const { url } = await redirecting(307, `${elsewhere.url}/end`);
    const call = await httpTool({ execution: { method: 'post', url: `${url}/start`, body: { a: 1 } }, allow: ['127.0.0.1'] });
    await call();
    expect(elsewhere.requests.map(({ method, body }) => ({ method, body }))).to.deep.equal([{ method: 'POST', body: '{"a":1}' }]);
  });

  const privateTargets = [
    { what: 'a private name', target: (port: string) => `http://localhost:${port}/` },
    { what: 'another loopback address', target: (port: string) => `http://127.0.0.2:${port}/` },
    { what: 'another port of the same private host', target: (port: string) => `http://127.0.0.1:${port}/` },
    { what: 'an address written as a number', target: (port: string) => `http://2130706433:${port}/` },
    { what: 'IPv6 loopback', target: (port: string) => `http://[::1]:${port}/` },
    { what: 'the metadata service of a cloud', target: () => 'http://169.254.169.254/latest/meta-data/' },
    { what: 'a file', target: () => 'file:///etc/passwd' },
  ];
  for (const { what, target } of privateTargets) {
    it(`refuses a redirect to ${what}`, async () => {
      const inside = await loopback((_request, response) => json(response, {}));
      const { url } = await redirecting(302, target(new URL(inside.url).port));
      const call = await httpTool({ execution: { url: `${url}/start` } });
      await rejection(call(), 'OUTBOUND_BLOCKED');
      expect(inside.requests).to.deep.equal([]);
    });
  }

  it('gives up on a circle', async () => {
    const { url, requests } = await redirecting(302, '/start');
    const call = await httpTool({ execution: { url: `${url}/start` } });
    const error = await rejection(call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('more than 20 times');
    expect(requests).to.have.lengthOf(21);
  });

  for (const { status, location } of [{ status: 304 }, { status: 302 }, { status: 302, location: 'http://[bad' }] as {
    status: number;
    location?: string;
  }[]) {
    it(`takes ${status} ${location === undefined ? 'without a location' : 'to nowhere'} for a failure`, async () => {
      const { url } = await loopback(
        (_request, response) => void response.writeHead(status, location === undefined ? {} : { location }).end(),
      );
      const call = await httpTool({ execution: { url } });
      const error = await rejection(call(), 'BAD_REQUEST');
      expect(error.details.status).to.equal(status);
    });
  }
});

describe('executor-http: cookies of redirects', () => {
  const execution = { headers: { Authorization: 'Bearer {API_TOKEN}' } };

  it('go back to the host that set them, in that chain alone', async () => {
    const { url, requests } = await loopback(({ headers: { cookie } }, response) => {
      if (cookie === undefined)
        response.writeHead(302, { 'set-cookie': ['sid=s1; Path=/; HttpOnly', 'deep=1; Path=/deep'], location: '/' }).end();
      else json(response, { cookie });
    });
    const call = await httpTool({ execution: { ...execution, url }, env });
    expect([(await call()).output, (await call()).output]).to.deep.equal([{ cookie: 'sid=s1' }, { cookie: 'sid=s1' }]);
    expect(requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal([undefined, 'sid=s1', undefined, 'sid=s1']);
  });

  it('stand beside a cookie of the definition on its own host, and not on another one', async () => {
    const elsewhere = await loopback(({ headers: { cookie } }, response) => {
      if (cookie === undefined) response.writeHead(302, { 'set-cookie': 'there=1; Path=/', location: '/again' }).end();
      else json(response, { cookie });
    });
    const { url, requests } = await loopback(({ url: path }, response) => {
      const location = path === '/start' ? '/next' : elsewhere.url;
      response.writeHead(302, { 'set-cookie': 'here=1; Path=/', location }).end();
    });
    const own = { headers: { Cookie: 'own={API_TOKEN}', 'X-Api-Key': '{API_KEY}' } };
    const call = await httpTool({ execution: { ...own, url: `${url}/start` }, env, allow: ['127.0.0.1'] });
    expect((await call()).output).to.deep.equal({ cookie: 'there=1' });
    expect(requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal(['own=secret-token', 'own=secret-token; here=1']);
    expect(elsewhere.requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal([undefined, 'there=1']);
    expect(JSON.stringify(elsewhere.requests)).to.not.include('secret');
  });

  it('are masked in the output, the error and the log of the call', async () => {
    const answers = [200, 400];
    const { url } = await loopback(({ headers: { cookie } }, response) => {
      if (cookie === undefined) response.writeHead(303, { 'set-cookie': 'sid=s3ss10n-planted; Path=/', location: '/' }).end();
      else json(response, { message: `no ${cookie}` }, answers.shift());
    });
    const call = await httpTool({ execution: { ...execution, url }, env });
    expect((await call()).output).to.deep.equal({ message: 'no sid=[secret cookie]' });
    const error = await rejection(call(), 'BAD_REQUEST');
    expect(error.message).to.include('[secret cookie]').and.to.not.include('planted');
  });

  it('end a circle that goes on although they are sent', async () => {
    const { url, requests } = await loopback((_, response) => response.writeHead(302, { 'set-cookie': 'a=1', location: '/' }).end());
    const call = await httpTool({ execution: { ...execution, url }, env });
    await rejection(call(), 'UPSTREAM_UNAVAILABLE');
    expect(requests).to.have.lengthOf(21);
  });
});
