import { expect } from 'chai';
import sinon from 'sinon';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { type ForwardProxy, forwardProxy } from './forward-proxy.ts';
import { answerNames, type GuardedOptions, guardedKernel } from './guarded.ts';
import { rawServer, victim } from './victim.ts';

const publicAddress = ['93.184.215.14'];

/** A server, and a kernel that reaches it through a proxy under every name. */
async function proxied(allow: readonly string[] = [], { env = {}, ...options }: GuardedOptions = {}, location?: string) {
  const server = await loopback((_, response) =>
    location === undefined ? response.end('reached') : response.writeHead(302, { location }).end(),
  );
  const proxy = await forwardProxy(Number(new URL(server.url).port));
  const address = `http://127.0.0.1:${proxy.port}`;
  const kernel = await guardedKernel(allow, { ...options, env: { HTTP_PROXY: address, HTTPS_PROXY: address, ...env } });
  return { kernel, proxy: proxy as ForwardProxy, server };
}

describe('with a proxy, a request', () => {
  it('takes it, whole, though the proxy itself is at a private address', async () => {
    answerNames({ 'shop.example': [publicAddress] });
    const { kernel, proxy, server } = await proxied();
    expect(await kernel.execute('get', { url: 'http://shop.example/a?b=1', headers: { 'X-A': '1' } })).to.equal('reached');
    expect(proxy.requests).to.deep.equal(['GET http://shop.example/a?b=1']);
    expect(server.requests[0]).to.deep.include({ method: 'GET', url: '/a?b=1' });
    expect(server.requests[0]?.headers).to.include({ 'x-a': '1', host: 'shop.example' });
  });

  const literals = [
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '0xa9fea9fe',
    '2852039166',
    '[fd00:ec2::254]',
    '[::ffff:10.0.0.1]',
    '0',
  ];
  for (const host of literals) {
    it(`to ${host} is blocked before the proxy sees it, over http and https`, async () => {
      const { kernel, proxy } = await proxied();
      for (const scheme of ['http', 'https']) await rejection(kernel.execute('get', { url: `${scheme}://${host}/` }), 'OUTBOUND_BLOCKED');
      expect(proxy.requests).to.deep.equal([]);
    });
  }

  for (const addresses of [['10.0.0.1'], ['93.184.215.14', 'fd00::1'], ['169.254.169.254'], ['127.0.0.1']]) {
    it(`to a name that is ${addresses.join(' and ')} here is blocked before the proxy sees it`, async () => {
      answerNames({ 'shop.example': [addresses] });
      const { kernel, proxy } = await proxied();
      const error = await rejection(kernel.execute('get', { url: 'http://shop.example/' }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include(`(${addresses.at(-1)})`);
      expect(proxy.requests).to.deep.equal([]);
    });
  }

  it('to a name that has no address here is the proxy’s to find', async () => {
    answerNames({});
    const { kernel, proxy } = await proxied();
    expect(await kernel.execute('get', { url: 'http://shop.example/' })).to.equal('reached');
    expect(proxy.requests).to.have.length(1);
  });

  it('to a name whose address does not come is the proxy’s to find after two seconds', async () => {
    const asked = answerNames({ 'slow.example': [[]] });
    const { kernel } = await proxied();
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = kernel.execute('get', { url: 'http://slow.example/' });
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.tick(2000);
    clock.restore();
    expect(await answer).to.equal('reached');
  });

  const privateNames = [
    'printer',
    'metadata.google.internal',
    'metadata.google.internal.',
    'nas.local',
    'db.corp',
    'router.home.arpa',
    'x.lan',
  ];
  for (const name of privateNames) {
    it(`to ${name}, which has no address here, is blocked as private networks use such names`, async () => {
      answerNames({});
      const { kernel, proxy } = await proxied();
      const error = await rejection(kernel.execute('get', { url: `http://${name}/` }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('the name has no address here');
      expect(proxy.requests).to.deep.equal([]);
    });
  }

  it('to a private host takes the proxy when the operator allows it, by name or by address', async () => {
    answerNames({ 'db.corp': [['10.0.0.7']] });
    const { kernel, proxy } = await proxied(['printer', '10.0.0.0/8']);
    for (const host of ['printer', 'db.corp', '10.0.0.8'])
      expect(await kernel.execute('get', { url: `http://${host}/` })).to.equal('reached');
    expect(proxy.requests).to.deep.equal(['GET http://printer/', 'GET http://db.corp/', 'GET http://10.0.0.8/']);
  });

  it('to the operator’s own host takes the proxy, whatever its address is', async () => {
    answerNames({});
    const handler = async (_: unknown, { fetch }: FunctionContext) =>
      (await fetch('http://intranet/', {}, { hostFrom: 'definition' })).text();
    const { kernel, proxy } = await proxied([], {
      tools: [{ name: 'own', description: 'Fetches.', execution: { type: 'function', handler } }],
    });
    expect(await kernel.execute('own')).to.equal('reached');
    expect(proxy.requests).to.deep.equal(['GET http://intranet/']);
    await rejection(kernel.execute('get', { url: 'http://intranet/' }), 'OUTBOUND_BLOCKED');
  });

  it('to the proxy itself is blocked', async () => {
    const { kernel, proxy } = await proxied();
    for (const host of ['127.0.0.1', 'localhost']) {
      await rejection(kernel.execute('get', { url: `http://${host}:${proxy.port}/` }), 'OUTBOUND_BLOCKED');
    }
    expect(proxy.requests).to.deep.equal([]);
  });

  it('to this machine, where it is allowed, goes straight', async () => {
    const { kernel, proxy, server } = await proxied(['127.0.0.1']);
    expect(await kernel.execute('get', { url: server.url })).to.equal('reached');
    expect(proxy.requests).to.deep.equal([]);
  });

  for (const place of [
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'http://inside.example/',
    'http://printer/',
    'http://127.0.0.1:PORT/',
  ]) {
    it(`that is redirected to ${place} is blocked there`, async () => {
      const { port, connections } = await victim();
      answerNames({ 'shop.example': [publicAddress], 'inside.example': [['192.168.0.1']] });
      const { kernel, proxy } = await proxied([], {}, place.replace('PORT', `${port}`));
      await rejection(kernel.execute('get', { url: 'http://shop.example/' }), 'OUTBOUND_BLOCKED');
      expect(proxy.requests).to.deep.equal(['GET http://shop.example/']);
      expect(connections).to.deep.equal([]);
    });
  }

  it('may not carry credentials for the proxy', async () => {
    answerNames({ 'shop.example': [publicAddress] });
    const { kernel, proxy } = await proxied();
    const headers = { 'Proxy-Authorization': 'Basic YTpi' };
    await rejection(kernel.execute('get', { url: 'http://shop.example/', headers }), 'EXECUTION_FAILED');
    expect(proxy.requests).to.deep.equal([]);
  });

  it('is refused by a proxy that does not answer as one', async () => {
    answerNames({ 'shop.example': [publicAddress] });
    const { port } = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const kernel = await guardedKernel([], { env: { HTTP_PROXY: `127.0.0.1:${port}`, HTTPS_PROXY: `127.0.0.1:${port}` } });
    for (const scheme of ['http', 'https'])
      await rejection(kernel.execute('get', { url: `${scheme}://shop.example/` }), 'EXECUTION_FAILED');
  });

  it('says once in the log that it takes the proxy, without credentials', async () => {
    answerNames({ 'shop.example': [publicAddress] });
    const logger = memoryLogger();
    const { kernel } = await proxied([], { logger });
    const lines = () => logger.records.filter(({ message }) => message.includes('proxy'));
    expect(lines()).to.deep.equal([]);
    for (const path of ['a', 'b']) await kernel.execute('get', { url: `http://shop.example/${path}` });
    expect(lines().map(({ level }) => level)).to.deep.equal(['info']);
  });
});
