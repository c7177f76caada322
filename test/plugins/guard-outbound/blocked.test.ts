import { expect } from 'chai';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answerNames, guardedKernel } from './guarded.ts';

/** Ways to write an address that reaches a server on this machine; `PORT` is its port. */
const loopbackUrls = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0.0.01:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7F.0x0.0x0.0x1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://user:pass@127.0.0.1:PORT/',
  'http://shop.example@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@shop.example/',
  'http:\\\\127.0.0.1:PORT\\',
  '\thttp://127.0.0.1:PORT/ ',
];

/** Addresses that are not on the public internet, and what they are. */
const otherUrls = {
  'http://127.8.9.10/': 'loopback',
  'http://[::1]/': 'loopback',
  'http://[::127.0.0.1]/': 'loopback',
  'https://10.0.0.1/': 'private',
  'http://172.16.0.1/': 'private',
  'http://172.31.255.255/': 'private',
  'http://192.168.1.1/': 'private',
  'http://[fd12:3456::1]/': 'unique local',
  'http://[fc00::1]/': 'unique local',
  'http://169.254.169.254/latest/meta-data/': 'link-local: metadata of several clouds',
  'http://0xa9fea9fe/': 'the same in hex',
  'http://2852039166/': 'the same in decimal',
  'http://[::ffff:169.254.169.254]/': 'the same, mapped',
  'http://[fd00:ec2::254]/': 'metadata over IPv6',
  'http://100.100.100.200/': 'metadata in shared space',
  'http://192.0.0.192/': 'metadata in reserved space',
  'http://168.63.129.16/': 'the platform of a cloud, in public space',
  'http://[fe80::1]/': 'link-local',
  'http://[fec0::1]/': 'site-local',
  'http://100.64.0.1/': 'carrier-grade NAT',
  'http://100.127.255.254/': 'carrier-grade NAT',
  'http://[64:ff9b::7f00:1]/': 'NAT64 of loopback',
  'http://[64:ff9b::808:808]/': 'NAT64 of a public address',
  'http://[64:ff9b:1::1]/': 'local NAT64',
  'http://[2002:7f00:1::]/': '6to4 of loopback',
  'http://[2002:a00:1::1]/': '6to4 of a private address',
  'http://[2001:0:4136:e378::1]/': 'Teredo',
  'http://[::ffff:0:127.0.0.1]/': 'translated',
  'http://[::]/': 'unspecified',
  'http://0.1.2.3/': 'this network',
  'http://224.0.0.1/': 'multicast',
  'http://[ff02::1]/': 'multicast',
  'http://255.255.255.255/': 'broadcast',
  'http://240.0.0.1/': 'reserved',
  'http://198.18.0.1/': 'benchmarking',
  'http://192.0.2.1/': 'documentation',
  'http://[2001:db8::1]/': 'documentation',
  'http://[100::1]/': 'discard',
  'http://[4000::1]/': 'not in use',
};

const otherSchemes = [
  'file:///etc/passwd',
  'ftp://93.184.215.14/',
  'data:text/plain,hello',
  'ws://93.184.215.14/',
  'gopher://127.0.0.1:6379/_INFO',
  'javascript:alert(1)',
  'blob:http://shop.example/1',
  'unix:/var/run/docker.sock',
];

describe('the outbound guard blocks', () => {
  for (const template of loopbackUrls) {
    it(`${template.trim()}, which reaches this machine`, async () => {
      const { url, requests } = await loopback((_, response) => response.end('inside'));
      const kernel = await guardedKernel();
      const error = await rejection(kernel.execute('get', { url: template.replace('PORT', new URL(url).port) }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.match(/^Requests to ".+" .*are blocked: it is a (loopback|unspecified) address\./);
      expect(requests).to.deep.equal([]);
    });
  }

  for (const [url, what] of Object.entries(otherUrls)) {
    it(`${url} (${what})`, async () => {
      const error = await rejection((await guardedKernel()).execute('get', { url }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('add the host to "allow" of guard-outbound');
      expect(error.details['host']).to.be.a('string');
    });
  }

  for (const url of otherSchemes) {
    it(`${url}, which is not http`, async () => {
      const error = await rejection((await guardedKernel(['*.example', '0.0.0.0/0'])).execute('get', { url }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('expected http or https');
    });
  }
});

describe('the outbound guard blocks a name', () => {
  const answers = {
    'that is an address of this machine': ['127.0.0.1'],
    'that is a private address': ['10.1.2.3'],
    'that is an IPv6 address of this machine': ['::1'],
    'that is a metadata service': ['169.254.169.254'],
    'that is a mapped address': ['::ffff:10.0.0.1'],
    'one of whose addresses is private': ['93.184.215.14', '192.168.0.1'],
  };
  for (const [what, addresses] of Object.entries(answers)) {
    it(what, async () => {
      answerNames({ 'shop.example': [addresses] });
      const error = await rejection((await guardedKernel()).execute('get', { url: 'http://shop.example/' }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include(`Requests to "shop.example" (${addresses.at(-1)}) are blocked`);
      expect(error.details['host']).to.equal('shop.example');
    });
  }

  it('whose answer has changed since it was allowed', async () => {
    const { url, requests } = await loopback((_, response) => response.writeHead(200, { connection: 'close' }).end('first'));
    answerNames({ 'shop.example': [['127.0.0.1'], ['127.0.0.2']] });
    const kernel = await guardedKernel(['127.0.0.1']);
    const name = url.replace('127.0.0.1', 'shop.example');
    expect(await kernel.execute('get', { url: name })).to.equal('first');
    await rejection(kernel.execute('get', { url: name }), 'OUTBOUND_BLOCKED');
    expect(requests).to.have.length(1);
  });

  it('that does not exist with the error of the resolver', async () => {
    answerNames({});
    const error = await rejection((await guardedKernel()).execute('get', { url: 'http://nowhere.example/' }), 'EXECUTION_FAILED');
    expect(String((error.cause as Error).message)).to.include('fetch failed');
  });
});

describe('the outbound guard blocks a redirect', () => {
  const targets = ['http://169.254.169.254/', 'http://127.0.0.2/', 'http://[::1]/', 'http://2130706434/', 'http://inside.example/'];
  for (const target of targets) {
    it(`from an allowed server to ${target}`, async () => {
      const { url, requests } = await loopback((_, response) => response.writeHead(302, { location: target }).end());
      answerNames({ 'inside.example': [['10.0.0.1']] });
      const kernel = await guardedKernel(['127.0.0.1']);
      await rejection(kernel.execute('get', { url }), 'OUTBOUND_BLOCKED');
      expect(requests).to.have.length(1);
    });
  }
});
