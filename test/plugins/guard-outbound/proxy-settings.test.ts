import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { targetOf } from '../../../plugins/guard-outbound/pinned-agent.ts';
import { Proxies } from '../../../plugins/guard-outbound/proxies.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Pair, trust } from '../executor-http/certificates.ts';
import { forwardProxy } from './forward-proxy.ts';
import { answerNames, guardedKernel } from './guarded.ts';

/** The proxy of a URL; 'none' when it is reached without. */
function proxyOf(env: Readonly<Record<string, string>>, address: string): string {
  const url = new URL(address);
  return new Proxies(env).of(url.protocol, targetOf(url))?.url ?? 'none';
}

const one = 'http://one.example:3128';
const two = 'https://two.example:8443';

describe('the environment', () => {
  const settings: { env: Record<string, string>; http: string; https: string }[] = [
    { env: {}, http: 'none', https: 'none' },
    { env: { HTTP_PROXY: one }, http: one, https: 'none' },
    { env: { HTTPS_PROXY: one }, http: 'none', https: one },
    { env: { HTTP_PROXY: one, HTTPS_PROXY: two }, http: one, https: two },
    { env: { http_proxy: one, HTTP_PROXY: two, https_proxy: two, HTTPS_PROXY: one }, http: one, https: two },
    { env: { http_proxy: '', HTTP_PROXY: one, HTTPS_PROXY: ' ' }, http: one, https: 'none' },
    { env: { HTTP_PROXY: 'one.example:3128', HTTPS_PROXY: 'user:word@one.example:3128/' }, http: one, https: one },
    { env: { HTTP_PROXY: one, HTTPS_PROXY: one, NO_PROXY: '*' }, http: 'none', https: 'none' },
  ];
  for (const { env, http, https } of settings) {
    it(`${JSON.stringify(env)} means ${http} for http and ${https} for https`, () => {
      expect({ http: proxyOf(env, 'http://shop.example/'), https: proxyOf(env, 'https://shop.example/') }).to.deep.equal({ http, https });
    });
  }

  const exceptions = [
    { no: 'shop.example', direct: ['shop.example', 'a.shop.example', 'shop.example:8080'], proxied: ['eshop.example', 'shop.example.org'] },
    { no: '.shop.example', direct: ['shop.example', 'a.shop.example'], proxied: ['eshop.example'] },
    { no: '*.shop.example', direct: ['shop.example', 'a.b.shop.example'], proxied: ['example'] },
    { no: 'SHOP.example:8080', direct: ['shop.example:8080', 'a.shop.example:8080'], proxied: ['shop.example', 'shop.example:80'] },
    { no: '10.0.0.0/8, fd00::/8', direct: ['10.1.2.3', '0xa.1', '[fd00::1]', '[::ffff:10.0.0.1]'], proxied: ['11.0.0.1', 'shop.example'] },
    { no: '10.0.0.1 [fd00::1]:81', direct: ['10.0.0.1', '10.0.0.1:81', '[fd00::1]:81'], proxied: ['10.0.0.2', '[fd00::1]'] },
    { no: 'a b,, c/d http://e,shop.example', direct: ['a', 'b', 'shop.example'], proxied: ['c', 'd', 'e'] },
    {
      no: '',
      direct: ['localhost', 'api.localhost', 'localhost.', '127.0.0.1', '127.8.8.8', '[::1]', '[::ffff:127.0.0.1]'],
      proxied: ['0.0.0.0'],
    },
  ];
  for (const { no, direct, proxied } of exceptions) {
    it(`NO_PROXY=${JSON.stringify(no)} lets ${direct.join(', ')} go straight, and not ${proxied.join(', ')}`, () => {
      const through = (host: string) => proxyOf({ HTTP_PROXY: one, NO_PROXY: no }, `http://${host}/`);
      expect(direct.filter((host) => through(host) !== 'none')).to.deep.equal([]);
      expect(proxied.filter((host) => through(host) !== one)).to.deep.equal([]);
    });
  }

  for (const address of [
    'socks5://user:planted@one.example',
    'http://user:planted%@one.example',
    'http://',
    'ftp://user:planted@one.example',
    '://planted',
  ]) {
    it(`cannot name the proxy ${address}: requests that need it fail and show nothing of it`, async () => {
      answerNames({ 'shop.example': [['93.184.215.14']] });
      const { url } = await loopback((_, response) => response.end('straight'));
      const kernel = await guardedKernel(['127.0.0.1'], { env: { HTTP_PROXY: address } });
      const error = await rejection(kernel.execute('get', { url: 'http://shop.example/' }), 'CONFIG_INVALID');
      expect(error.message).to.include('HTTP_PROXY').and.to.include('expected the address of a proxy');
      expect(`${error.stack} ${JSON.stringify(error.details)}`).to.not.include('planted');
      expect(await kernel.execute('get', { url })).to.equal('straight');
    });
  }
});

describe('a host in NO_PROXY', () => {
  it('is reached straight, at the address that was checked', async () => {
    const { url, requests } = await loopback((_, response) => response.end('straight'));
    const proxy = await forwardProxy(Number(new URL(url).port));
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'shop.example' };
    const asked = answerNames({ 'shop.example': [['127.0.0.1'], ['10.0.0.1']] });
    const kernel = await guardedKernel(['127.0.0.1'], { env });
    expect(await kernel.execute('get', { url: url.replace('127.0.0.1', 'shop.example') })).to.equal('straight');
    expect([requests.length, proxy.requests.length, asked.length]).to.deep.equal([1, 0, 1]);
  });

  for (const host of ['shop.example', '10.0.0.1']) {
    it(`is blocked as ever when it is private: ${host}`, async () => {
      const proxy = await forwardProxy(1);
      answerNames({ 'shop.example': [['10.0.0.1']] });
      const kernel = await guardedKernel([], { env: { HTTP_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: `${host},10.0.0.0/8` } });
      await rejection(kernel.execute('get', { url: `http://${host}/` }), 'OUTBOUND_BLOCKED');
      expect(proxy.requests).to.deep.equal([]);
    });
  }
});

describe('a proxy that wants credentials', () => {
  const word = 'plänted wörd@:/';
  const address = (port: number, password = word) => `http://user:${encodeURIComponent(password)}@127.0.0.1:${port}`;

  it('gets them, and the server behind it does not', async () => {
    const { url, requests } = await loopback((_, response) => response.end('reached'));
    const proxy = await forwardProxy(Number(new URL(url).port), word);
    answerNames({ 'shop.example': [['93.184.215.14']] });
    const kernel = await guardedKernel([], { env: { HTTP_PROXY: address(proxy.port) } });
    expect(await kernel.execute('get', { url: 'http://shop.example/' })).to.equal('reached');
    expect(proxy.authorizations).to.deep.equal([`Basic ${Buffer.from(`user:${word}`).toString('base64')}`]);
    expect(requests[0]?.headers).to.not.have.property('proxy-authorization');
  });

  it('and gets wrong ones is an error that shows nothing of them, nor does the log', async () => {
    const proxy = await forwardProxy(1, word);
    const logger = memoryLogger();
    answerNames({ 'shop.example': [['93.184.215.14']] });
    const proxyAddress = address(proxy.port, 'planted-password');
    const say = {
      name: 'say',
      description: 'Says.',
      execution: { type: 'function', handler: () => `${proxyAddress} ${btoa('user:planted-password')}` },
    };
    const kernel = await guardedKernel([], { env: { HTTP_PROXY: proxyAddress, HTTPS_PROXY: proxyAddress }, logger, tools: [say] });
    for (const scheme of ['http', 'https']) {
      const error = await rejection(kernel.execute('get', { url: `${scheme}://shop.example/` }), 'EXECUTION_FAILED');
      expect(`${error.stack} ${String(error.cause)} ${JSON.stringify(error.details)}`).to.not.include('planted');
    }
    expect(JSON.stringify(logger.records)).to.not.include('planted');
    expect(await kernel.execute('say')).to.equal(`http://[secret PROXY_CREDENTIALS]@127.0.0.1:${proxy.port} [secret PROXY_CREDENTIALS]`);
  });
});

/** A certificate for shop.example, for both sides. */
async function makePair(): Promise<Pair> {
  const cwd = await temporaryFolder();
  const subject = ['-subj', '/CN=shop.example', '-addext', 'subjectAltName=DNS:shop.example', '-addext', 'basicConstraints=CA:TRUE'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key', '-out', 'cert'];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...subject], { cwd, stdio: 'pipe' });
  return { cert: await readFile(path.join(cwd, 'cert'), 'utf8'), key: await readFile(path.join(cwd, 'key'), 'utf8') };
}

describe('https through a proxy', () => {
  it('goes through a tunnel, in which the server proves itself and is shown the client’s certificate', async () => {
    const pair = await makePair();
    const server = createServer({ ...pair, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      response.end(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = await forwardProxy((server.address() as AddressInfo).port);
    trust(pair);
    answerNames({ 'shop.example': [['93.184.215.14']], 'other.example': [['93.184.215.14']] });
    const handler = async ({ url }: { url: string }, { fetch }: FunctionContext) =>
      (await fetch(url, {}, { clientCertificate: pair })).text();
    const show = { name: 'show', description: 'Shows.', parameters: { url: { type: 'string' } }, execution: { type: 'function', handler } };
    const kernel = await guardedKernel([], { env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, tools: [show] });
    try {
      expect(await kernel.execute('show', { url: 'https://shop.example/secret' })).to.equal('shop.example');
      expect(await kernel.execute('get', { url: 'https://shop.example/secret' })).to.equal('undefined');
      await rejection(kernel.execute('get', { url: 'https://other.example/' }), 'EXECUTION_FAILED');
      expect(proxy.requests).to.deep.equal(['CONNECT shop.example:443', 'CONNECT shop.example:443', 'CONNECT other.example:443']);
    } finally {
      await kernel.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
