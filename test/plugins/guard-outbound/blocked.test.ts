import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { guardedKernel } from './guarded.ts';
import { victim } from './victim.ts';

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
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::]:PORT/',
  'http://0x0:PORT/',
  'http://127.255.255.254:PORT/',
  'http://00000177.0.0.1:PORT/',
  'http://0x7f.0.1:PORT/',
  'http://0177.0x0.1:PORT/',
  'http://1２7.0.0.1:PORT/',
  'http://127．0｡0.1:PORT/',
  'http://0x７f000001:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://loc%61lhost:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
  'http://localhoſt:PORT/',
  'http://local\u00adhost:PORT/',
  'http://local\u200bhost:PORT/',
  'http://𝓁ℴ𝒸𝒶𝓁𝒽ℴ𝓈𝓉:PORT/',
  'http://user:pass@127.0.0.1:PORT/',
  'http://shop.example@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@shop.example/',
  'http:\\\\127.0.0.1:PORT\\',
  '\thttp://127.0.0.1:PORT/ ',
  'ht\ntp://127.0.0.1:PORT/',
  'http://127.0.\r\n0.1:PORT/',
  'http://127.0.0\t.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'http://127.0.0.1:0000PORT/',
  'http://shop.example#@127.0.0.1:PORT/'.replace('#', '%23'),
  'http://127.0.0.1:PORT#@shop.example/',
  'http://127.0.0.1:PORT?@shop.example/',
  'https://127.0.0.1:PORT/',
  'HTTP://127.0.0.1:PORT/',
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
  'http://[64:ff9b::a00:1]/': 'NAT64 of a private address',
  'http://[64:ff9b::a9fe:a9fe]/': 'NAT64 of a metadata service',
  'http://[64:ff9b:1::1]/': 'local NAT64',
  'http://[2002:7f00:1::]/': '6to4 of loopback',
  'http://[2002:a00:1::1]/': '6to4 of a private address',
  'http://[2001:0:4136:e378::1]/': 'Teredo',
  'http://[2001:0:a00:1::f5ff:fffe]/': 'Teredo of a private address',
  'http://[2001:20::1]/': 'ORCHID',
  'http://[2001:2::1]/': 'benchmarking',
  'http://[::ffff:0:127.0.0.1]/': 'translated',
  'http://[::]/': 'unspecified',
  'http://0.1.2.3/': 'this network',
  'http://224.0.0.1/': 'multicast',
  'http://[ff02::1]/': 'multicast',
  'http://255.255.255.255/': 'broadcast',
  'http://240.0.0.1/': 'reserved',
  'http://198.18.0.1/': 'benchmarking',
  'http://198.19.255.255/': 'benchmarking',
  'http://192.0.2.1/': 'documentation',
  'http://198.51.100.1/': 'documentation',
  'http://203.0.113.1/': 'documentation',
  'http://[3fff::1]/': 'documentation',
  'http://192.88.99.1/': 'the anycast of 6to4',
  'http://192.0.0.8/': 'protocol assignments',
  'http://239.255.255.250/': 'multicast',
  'http://[fd20:ce::254]/': 'metadata over IPv6, of another cloud',
  'http://[5f00::1]/': 'segment routing',
  'http://[2001:db8::1]/': 'documentation',
  'http://[100::1]/': 'discard',
  'http://[4000::1]/': 'not in use',
};

/** No URL at all, for the parser of URLs or for fetch. */
const noUrls = [
  'http://[fe80::1%25lo]:PORT/',
  'http://[::1%lo]:PORT/',
  'http://[127.0.0.1]:PORT/',
  'http://[::ﬀff:127.0.0.1]:PORT/',
  'http://[::ffff:127.0.0.1:PORT/',
  'http://127.0.0.1:PORT:80/',
  'http://127.0.0.1:6PORT/',
  'http://127.0.0.1%00:PORT/',
  'http://127.0.0.1%2f:PORT/',
  'http://127.0.0.1 :PORT/',
  'http://127.0.0.256:PORT/',
  'http://127.0.0.0.1:PORT/',
  'http://0x100000000:PORT/',
  'http://09.0.0.1:PORT/',
  'http://local<host:PORT/',
  'http://local^host:PORT/',
  'http://xn--:PORT/',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  '/',
  '',
];

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
    it(`${JSON.stringify(template)}, which reaches this machine`, async () => {
      const { port, connections } = await victim();
      const kernel = await guardedKernel();
      const error = await rejection(kernel.execute('get', { url: template.replace('PORT', `${port}`) }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.match(/^Requests to ".+" .*are blocked: it is a (loopback|unspecified|reserved) address\./);
      expect(connections).to.deep.equal([]);
    });
  }

  for (const template of noUrls) {
    it(`${JSON.stringify(template)}, which is no URL`, async () => {
      const { port, connections } = await victim();
      await rejection((await guardedKernel()).execute('get', { url: template.replace('PORT', `${port}`) }), 'EXECUTION_FAILED');
      expect(connections).to.deep.equal([]);
    });
  }

  for (const [url, what] of Object.entries(otherUrls)) {
    it(`${url} (${what})`, async () => {
      const error = await rejection((await guardedKernel()).execute('get', { url }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('add the host to "allowHosts"');
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
