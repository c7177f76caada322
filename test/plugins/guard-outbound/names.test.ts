import { expect } from 'chai';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answerNames, guardedKernel } from './guarded.ts';
import { victim } from './victim.ts';

describe('the outbound guard blocks a name', () => {
  const answers = {
    'that is an address of this machine': ['127.0.0.1'],
    'that is any address of this machine': ['0.0.0.0'],
    'that is a private address, as the end of its aliases': ['10.1.2.3'],
    'that is an IPv6 address of this machine': ['::1'],
    'that is a link-local address with a zone': ['fe80::1%lo'],
    'that is a metadata service': ['169.254.169.254'],
    'that is a metadata service over IPv6': ['fd00:ec2::254'],
    'that is a mapped address': ['::ffff:10.0.0.1'],
    'that is a translated address': ['64:ff9b::10.0.0.1'],
    'one of whose addresses is private': ['93.184.215.14', '192.168.0.1'],
    'the last of whose many addresses is private': ['93.184.215.14', '2606:4700:4700::1111', '1.1.1.1', 'fd12::1'],
  };
  for (const [what, addresses] of Object.entries(answers)) {
    it(what, async () => {
      answerNames({ 'shop.example': [addresses] });
      const error = await rejection((await guardedKernel()).execute('get', { url: 'http://shop.example/' }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include(`Requests to "shop.example" (${addresses.at(-1)}) are blocked`);
      expect(error.details['host']).to.equal('shop.example');
    });
  }

  const names = [
    'localhost.',
    'localhost。',
    'api.localhost',
    'metadata.google.internal',
    'printer',
    '127.0.0.1.nip.example',
    '0x7f000001.example',
  ];
  for (const name of names) {
    it(`for its address, whatever it is called: ${name}`, async () => {
      const { port, connections } = await victim();
      answerNames({ [new URL(`http://${name}`).hostname]: [['127.0.0.1']] });
      await rejection((await guardedKernel()).execute('get', { url: `http://${name}:${port}/` }), 'OUTBOUND_BLOCKED');
      expect(connections).to.deep.equal([]);
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

  it('never again between the check and the connection, where the answer may be another', async () => {
    const { url } = await loopback((_, response) => response.end('checked'));
    const asked = answerNames({ 'shop.example': [['127.0.0.1'], ['10.0.0.1']] });
    const kernel = await guardedKernel(['127.0.0.1']);
    expect(await kernel.execute('get', { url: url.replace('127.0.0.1', 'shop.example') })).to.equal('checked');
    expect(asked).to.deep.equal(['shop.example']);
  });

  it('that does not exist with the error of the resolver', async () => {
    answerNames({});
    const error = await rejection((await guardedKernel()).execute('get', { url: 'http://nowhere.example/' }), 'EXECUTION_FAILED');
    expect(String((error.cause as Error).message)).to.include('fetch failed');
  });
});

/** A tool of the operator that says itself where its host comes from, and then calls `get` with what it was given. */
const ownHostTool = {
  name: 'own',
  description: 'Fetches from its own host.',
  parameters: { own: { type: 'string' }, url: { type: 'string' } },
  execution: {
    type: 'function',
    handler: async ({ own, url }: { own: string; url: string }, { fetch, tools }: FunctionContext) => {
      const text = await (await fetch(own, {}, { hostFrom: 'definition' })).text();
      return url === undefined ? text : (await tools.call('get', { url })).output;
    },
  },
};

describe('a connection that the outbound guard has allowed', () => {
  it('is not used for another name of the same server, which is not allowed', async () => {
    const { url, requests } = await loopback((_, response) => response.end('kept alive'));
    answerNames({ 'a.example': [['127.0.0.1']], 'b.example': [['127.0.0.1']] });
    const kernel = await guardedKernel(['a.example']);
    expect(await kernel.execute('get', { url: url.replace('127.0.0.1', 'a.example') })).to.equal('kept alive');
    for (const host of ['b.example', '127.0.0.1', 'a.example.']) {
      const other = url.replace('127.0.0.1', host);
      await rejection(kernel.execute('get', { url: other }), host === 'a.example.' ? 'EXECUTION_FAILED' : 'OUTBOUND_BLOCKED');
    }
    expect(requests).to.have.length(1);
  });

  for (const host of ['127.0.0.1', 'intranet.example']) {
    it(`for the operator’s own ${host} is not used for one that comes from a parameter`, async () => {
      const { url, requests } = await loopback((_, response) => response.end('kept alive'));
      answerNames({ 'intranet.example': [['127.0.0.1']] });
      const kernel = await guardedKernel([], { tools: [ownHostTool] });
      const own = url.replace('127.0.0.1', host);
      expect(await kernel.execute('own', { own })).to.equal('kept alive');
      await rejection(kernel.execute('get', { url: own }), 'OUTBOUND_BLOCKED');
      await rejection(kernel.execute('own', { own, url: own }), 'OUTBOUND_BLOCKED');
      expect(requests).to.have.length(2);
    });
  }

  it('in one kernel is not used by another', async () => {
    const { url, requests } = await loopback((_, response) => response.end('kept alive'));
    const [open, closed] = [await guardedKernel(['127.0.0.1']), await guardedKernel()];
    expect(await open.execute('get', { url })).to.equal('kept alive');
    await rejection(closed.execute('get', { url }), 'OUTBOUND_BLOCKED');
    expect(requests).to.have.length(1);
  });
});
