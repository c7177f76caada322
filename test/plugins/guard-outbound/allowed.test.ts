import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { isPublic } from '../../../plugins/guard-outbound/addresses.ts';
import { HostList, parseHostEntry } from '../../../plugins/guard-outbound/host-list.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { answerNames, guardedKernel } from './guarded.ts';

/** A kernel with one http tool, in a file of the operator or of a package. */
function httpKernel(url: string, trust: 'operator' | 'package', allow: readonly string[] = []): Promise<Kernel> {
  const given = definePlugin({
    name: 'given',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tap('given', (sink) => {
        sink.addProvider(
          { provider: { name: 'shop' }, parameter_mapping: [{ parameter: 'own_host', env_pattern: 'SHOP_HOST' }] },
          { trust },
        );
        const parameters = { host: { type: 'string' }, port: { type: 'integer' }, page: { type: 'string' } };
        sink.addTool({ name: 'get', description: 'Gets.', parameters, execution: { type: 'http', method: 'get', url } }, { trust }, 'shop');
      }),
  });
  const secrets = [secretsEnv({ env: { SHOP_HOST: '127.0.0.1' } }), credentialsPlaceholder()];
  return bareKernel({ plugins: [given(), ...secrets, executorHttp(), guardOutbound({ allowHosts: [...allow], env: {} })] });
}

describe('a host that is written in a definition', () => {
  it('is allowed in the operator’s own files, wherever it is', async () => {
    const { url } = await loopback((_, response) => json(response, 'inside'));
    const kernel = await httpKernel(`${url}/pages/{page}`, 'operator');
    expect(await kernel.execute('get', { page: '1' })).to.equal('inside');
  });

  it('is allowed there by name, though the name is that of this machine', async () => {
    const { url } = await loopback((_, response) => json(response, 'inside'));
    const kernel = await httpKernel(url.replace('127.0.0.1', 'localhost'), 'operator');
    expect(await kernel.execute('get')).to.equal('inside');
  });

  it('is blocked in a package', async () => {
    const { url, requests } = await loopback((_, response) => json(response, 'inside'));
    await rejection((await httpKernel(url, 'package')).execute('get'), 'OUTBOUND_BLOCKED');
    expect(requests).to.deep.equal([]);
  });

  it('is allowed in a package when the operator allows it', async () => {
    const { url } = await loopback((_, response) => json(response, 'inside'));
    expect(await (await httpKernel(url, 'package', ['127.0.0.1'])).execute('get')).to.equal('inside');
  });

  it('is allowed when it is a setting of the operator’s provider', async () => {
    const { url } = await loopback((_, response) => json(response, 'inside'));
    const kernel = await httpKernel(`http://{own_host}:${new URL(url).port}/`, 'operator');
    expect(await kernel.execute('get')).to.equal('inside');
  });

  it('is blocked when the port beside it comes from a parameter', async () => {
    const { url, requests } = await loopback((_, response) => json(response, 'inside'));
    const kernel = await httpKernel('http://127.0.0.1:{port}/', 'operator');
    await rejection(kernel.execute('get', { port: Number(new URL(url).port) }), 'OUTBOUND_BLOCKED');
    expect(requests).to.deep.equal([]);
  });

  it('is blocked when it comes from a parameter, also in the operator’s own files', async () => {
    const { url, requests } = await loopback((_, response) => json(response, 'inside'));
    const kernel = await httpKernel('http://{host}:{port}/', 'operator');
    await rejection(kernel.execute('get', { host: '127.0.0.1', port: Number(new URL(url).port) }), 'OUTBOUND_BLOCKED');
    await rejection(kernel.execute('get', { host: 'localhost', port: Number(new URL(url).port) }), 'OUTBOUND_BLOCKED');
    expect(requests).to.deep.equal([]);
  });

  for (const target of ['http://127.0.0.2/', 'http://localhost/', 'http://169.254.169.254/']) {
    it(`does not open the way to ${target} by a redirect`, async () => {
      const { url, requests } = await loopback((_, response) => response.writeHead(302, { location: target }).end());
      await rejection((await httpKernel(url, 'operator')).execute('get'), 'OUTBOUND_BLOCKED');
      expect(requests).to.have.length(1);
    });
  }
});

describe('the hosts that the operator allows', () => {
  const cases = [
    { allow: ['shop.example'], opens: ['shop.example'], blocks: ['other.example', 'a.shop.example', 'shop.example.org', 'eshop.example'] },
    { allow: ['SHOP.Example'], opens: ['shop.example', 'SHOP.example'], blocks: ['shop.examples'] },
    {
      allow: ['*.corp.example'],
      opens: ['a.corp.example', 'a.b.corp.example'],
      blocks: ['corp.example', 'corp.example.org', 'acorp.example'],
    },
    { allow: ['bücher.example'], opens: ['bücher.example', 'xn--bcher-kva.example'], blocks: ['bucher.example'] },
    { allow: ['127.0.0.1'], opens: ['shop.example', '127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]'], blocks: [] },
    { allow: ['127.0.0.0/8'], opens: ['shop.example', '127.0.0.1'], blocks: [] },
    { allow: ['10.0.0.0/8', '::1'], opens: [], blocks: ['shop.example', '127.0.0.1'] },
  ];
  for (const { allow, opens, blocks } of cases) {
    it(`are ${allow.join(' and ')}: ${opens.join(', ') || 'nothing here'}, but not ${blocks.join(', ') || 'more'}`, async () => {
      const { url, requests } = await loopback((_, response) => response.end('inside'));
      const kernel = await guardedKernel(allow);
      const names = [...opens, ...blocks].map((host) => new URL(`http://${host}`).hostname);
      answerNames(Object.fromEntries(names.map((name) => [name, [['127.0.0.1']]])));
      for (const host of opens) expect(await kernel.execute('get', { url: url.replace('127.0.0.1', host) }), host).to.equal('inside');
      for (const host of blocks) await rejection(kernel.execute('get', { url: url.replace('127.0.0.1', host) }), 'OUTBOUND_BLOCKED');
      expect(requests).to.have.length(opens.length);
    });
  }

  const wrong = [
    'http://shop.example',
    'shop.example:',
    'shop.example:0',
    'shop.example:65536',
    'shop.example:80:80',
    '10.0.0.0/99',
    '10.0.0.0:80/8',
    'shop.example/path',
    '*',
    '*.*.example',
    'a b',
    '[::1',
    '[shop.example]:80',
    'shop%2eexample',
    'user@shop.example',
  ];
  for (const entry of wrong) {
    it(`cannot be written as ${entry}`, async () => {
      const error = await rejection(guardedKernel([entry]), 'PLUGIN_INVALID');
      expect(error.message).to.include('guard-outbound').and.include(`received "${entry}"`);
    });
  }
});

describe('an address', () => {
  const known = ['1.1.1.1', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255', '128.0.0.1', '169.253.0.1', '172.15.255.255'];
  const more = [
    '172.32.0.1',
    '192.167.0.1',
    '192.169.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ];
  for (const address of [...known, ...more]) {
    it(`of the public internet is allowed: ${address}`, () => {
      expect(isPublic(address)).to.equal(true);
    });
  }

  const ranges = [
    {
      entry: '192.168.0.0/16',
      holds: ['192.168.0.1', '192.168.255.255', '::ffff:192.168.3.4'],
      not: ['192.169.0.0', '10.0.0.1', 'fd00::1'],
    },
    { entry: '10.1.2.3', holds: ['10.1.2.3'], not: ['10.1.2.4'] },
    { entry: 'fd00::/8', holds: ['fd00::1', 'fdff::1'], not: ['fc00::1', '10.0.0.1'] },
    { entry: 'fd00::1', holds: ['fd00::1', 'fd00:0:0::1'], not: ['fd00::2'] },
    { entry: '::ffff:10.0.0.0/104', holds: ['10.1.2.3', '::ffff:10.1.2.3'], not: ['11.0.0.1', '::1'] },
    { entry: '[fd00::/8]', holds: ['fd00::1'], not: ['fe80::1'] },
    { entry: '0.0.0.0/0', holds: ['10.0.0.1', '127.0.0.1'], not: ['::1'] },
  ];
  for (const { entry, holds, not } of ranges) {
    it(`is in ${entry} or not`, () => {
      const list = new HostList([parseHostEntry(entry) ?? {}]);
      expect(holds.filter((address) => !list.hasAddress(address, 80))).to.deep.equal([]);
      expect(not.filter((address) => list.hasAddress(address, 80))).to.deep.equal([]);
    });
  }
});

describe('the outbound guard', () => {
  it('is a plugin that keeps the contract', async () => {
    expect(await checkPlugin(guardOutbound, { allowHosts: ['127.0.0.1'] })).to.deep.equal([]);
  });
});
