import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answerNames, guardedKernel } from './guarded.ts';
import { victim } from './victim.ts';

const askTool = {
  name: 'ask',
  description: 'Asks over http.',
  parameters: { host: { type: 'string' }, port: { type: 'integer' } },
  execution: { type: 'http', method: 'get', url: 'http://{host}:{port}/' },
};

/** An allowed server, and a kernel that may reach it and no other port. `get` follows redirects by fetch, `ask` by the executor. */
async function redirecting(
  answer: (request: SeenRequest, response: ServerResponse) => void,
): Promise<{ kernel: Kernel; url: string; ask: object }> {
  const { url } = await loopback(answer);
  const { hostname: host, port } = new URL(url);
  answerNames({ 'inside.example': [['127.0.0.1']], localhost: [['127.0.0.1']] });
  return {
    kernel: await guardedKernel([`${host}:${port}`], { tools: [askTool], plugins: [executorHttp()] }),
    url,
    ask: { host, port: Number(port) },
  };
}

describe('a redirect from an allowed server', () => {
  const places = [
    'http://127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    '/\\127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://127%E3%80%820.0.%EF%BC%91:PORT/',
    'http://localhost:PORT/',
    'http://inside.example:PORT/',
    '\thttp://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/',
    'http://100.100.100.200/',
  ];
  for (const place of places) {
    it(`to ${JSON.stringify(place)} is blocked, with fetch and in http tools`, async () => {
      const { port, connections } = await victim();
      const location = place.replace('PORT', `${port}`);
      const { kernel, url, ask } = await redirecting((_, response) => response.writeHead(302, { location }).end());
      await rejection(kernel.execute('get', { url }), 'OUTBOUND_BLOCKED');
      await rejection(kernel.execute('ask', { ...ask }), 'OUTBOUND_BLOCKED');
      expect(connections).to.deep.equal([]);
    });
  }

  const noWeb = [
    'file:///etc/passwd',
    'ftp://127.0.0.1:PORT/',
    'data:text/plain,inside',
    'javascript:1',
    'ws://127.0.0.1:PORT/',
    'blob:null/1',
  ];
  for (const place of [...noWeb, 'http://user:word@127.0.0.1:PORT/']) {
    it(`to ${place} is not followed, with fetch and in http tools`, async () => {
      const { port, connections } = await victim();
      const location = place.replace('PORT', `${port}`);
      const { kernel, url, ask } = await redirecting((_, response) => response.writeHead(302, { location }).end());
      await rejection(kernel.execute('get', { url }), 'EXECUTION_FAILED');
      await rejection(kernel.execute('ask', { ...ask }), 'OUTBOUND_BLOCKED');
      expect(connections).to.deep.equal([]);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`is blocked at the end of a chain of ${status}`, async () => {
      const { port, connections } = await victim();
      const { kernel, url, ask } = await redirecting((request, response) => {
        const hop = Number(request.url.slice(1)) + 1;
        response.writeHead(status, { location: hop < 10 ? `/${hop}` : `http://127.0.0.1:${port}/` }).end();
      });
      await rejection(kernel.execute('get', { url: `${url}/0` }), 'OUTBOUND_BLOCKED');
      await rejection(kernel.execute('ask', { ...ask }), 'OUTBOUND_BLOCKED');
      expect(connections).to.deep.equal([]);
    });
  }

  it('is given up after 20 hops, before the last one is looked at', async () => {
    const { port, connections } = await victim();
    const { kernel, url, ask } = await redirecting((request, response) => {
      const hop = Number(request.url.slice(1)) + 1;
      response.writeHead(302, { location: hop < 25 ? `/${hop}` : `http://127.0.0.1:${port}/` }).end();
    });
    await rejection(kernel.execute('get', { url: `${url}/0` }), 'EXECUTION_FAILED');
    await rejection(kernel.execute('ask', { ...ask }), 'UPSTREAM_UNAVAILABLE');
    expect(connections).to.deep.equal([]);
  });
});

describe('a redirect to another origin that is allowed', () => {
  const headers = {
    Authorization: 'Bearer planted',
    Cookie: 'session=planted',
    'X-Api-Key': 'planted',
    'X-Auth-Token': 'planted',
    'Private-Token': 'planted',
    'Proxy-Authorization': 'Basic planted',
    Host: 'planted.example',
    Accept: 'text/plain',
    'User-Agent': 'toolkit-test',
  };

  it('takes no header along that may be a credential, not even when it leads back', async () => {
    const back = { url: '' };
    const elsewhere = await loopback((_, response) => response.writeHead(302, { location: `${back.url}/back` }).end());
    const first = await loopback((request, response) => {
      if (request.url === '/back') json(response, 'end');
      else response.writeHead(302, { location: elsewhere.url }).end();
    });
    back.url = first.url;
    const kernel = await guardedKernel(['127.0.0.1']);
    await kernel.execute('get', { url: first.url, headers });
    expect(first.requests[0]?.headers).to.include({ authorization: 'Bearer planted', 'x-api-key': 'planted', 'private-token': 'planted' });
    for (const request of [elsewhere.requests[0], first.requests[1]]) {
      expect(request?.headers).to.include({ accept: 'text/plain', 'user-agent': 'toolkit-test' });
      expect(JSON.stringify(request)).to.not.include('planted');
    }
  });

  it('of the same host with another port or scheme is one as well', async () => {
    const other = await loopback((_, response) => response.end('other'));
    const { url } = await loopback((_, response) => response.writeHead(307, { location: other.url }).end());
    expect(await (await guardedKernel(['127.0.0.1'])).execute('get', { url, headers })).to.equal('other');
    expect(JSON.stringify(other.requests)).to.not.include('planted');
  });

  it('is not followed by a request that has a client certificate', async () => {
    const other = await loopback((_, response) => response.end('other'));
    const { url, requests } = await loopback((_, response) => response.writeHead(302, { location: other.url }).end());
    const handler = async (_: unknown, { fetch }: FunctionContext) =>
      (await fetch(url, {}, { clientCertificate: { cert: 'planted', key: 'planted' } })).text();
    const tool = { name: 'certified', description: 'Fetches.', execution: { type: 'function', handler } };
    const error = await rejection((await guardedKernel(['127.0.0.1'], { tools: [tool] })).execute('certified'), 'OUTBOUND_BLOCKED');
    expect(error.message).to.include('the request has a client certificate').and.to.include(new URL(other.url).host);
    expect([requests.length, other.requests.length]).to.deep.equal([1, 0]);
  });

  it('takes every header along inside one origin', async () => {
    const { url, requests } = await loopback((request, response) => {
      if (request.url === '/end') response.end('end');
      else response.writeHead(302, { location: '/end' }).end();
    });
    expect(await (await guardedKernel(['127.0.0.1'])).execute('get', { url, headers })).to.equal('end');
    expect(requests[1]?.headers).to.include({ authorization: 'Bearer planted', 'x-api-key': 'planted', cookie: 'session=planted' });
  });
});

describe('cookies of redirects that fetch follows', () => {
  const wall = (): ReturnType<typeof loopback> =>
    loopback(({ headers: { cookie } }, response) => {
      if (cookie === undefined)
        response.writeHead(302, { 'set-cookie': ['a=1; Path=/', 'b=2; Path=/b', 'c=3; Secure'], location: '/' }).end();
      else response.end(cookie);
    });

  it('go back to the host that set them, once for each fetch', async () => {
    const { url, requests } = await wall();
    const kernel = await guardedKernel(['127.0.0.1']);
    expect([await kernel.execute('get', { url }), await kernel.execute('get', { url })]).to.deep.equal(['a=1', 'a=1']);
    expect(requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal([undefined, 'a=1', undefined, 'a=1']);
  });

  it('do not go to another host, nor with what another host must not see', async () => {
    const other = await wall();
    const { url, requests } = await loopback((_, response) =>
      response.writeHead(302, { 'set-cookie': 'first=1', location: other.url }).end(),
    );
    const kernel = await guardedKernel(['127.0.0.1']);
    const headers = { 'X-Api-Key': 'planted', Cookie: 'own=planted' };
    expect(await kernel.execute('get', { url, headers })).to.equal('a=1');
    expect(requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal(['own=planted']);
    expect(other.requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal([undefined, 'a=1']);
    expect(JSON.stringify(other.requests)).to.not.include('planted');
  });

  it('stand behind a cookie of the request on its own host', async () => {
    const { url, requests } = await loopback(({ headers: { cookie = '' } }, response) => {
      if (cookie.includes('a=1')) response.end('in');
      else response.writeHead(307, { 'set-cookie': 'a=1', location: '/' }).end();
    });
    const kernel = await guardedKernel(['127.0.0.1']);
    expect(await kernel.execute('get', { url, headers: { Cookie: 'own=1' } })).to.equal('in');
    expect(requests.map(({ headers: { cookie } }) => cookie)).to.deep.equal(['own=1', 'own=1; a=1']);
  });

  it('of the last answer come to the function line by line', async () => {
    const { url } = await loopback((_, response) => response.writeHead(200, { 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-a': 'ü' }).end());
    const handler = async (_: unknown, { fetch }: FunctionContext) => {
      const { headers } = await fetch(url);
      return [headers.getSetCookie(), headers.get('x-a')];
    };
    const tool = { name: 'lines', description: 'Fetches.', execution: { type: 'function', handler } };
    const kernel = await guardedKernel(['127.0.0.1'], { tools: [tool] });
    expect(await kernel.execute('lines')).to.deep.equal([['a=1; Path=/', 'b=2'], 'ü']);
  });
});
