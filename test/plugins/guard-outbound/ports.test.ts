import { expect } from 'chai';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answerNames, guardedKernel } from './guarded.ts';
import { victim } from './victim.ts';

describe('a port', () => {
  const entries = [
    { entry: '127.0.0.1:PORT', host: '127.0.0.1' },
    { entry: '127.0.0.0/8:PORT', host: '127.0.0.1' },
    { entry: '[::ffff:127.0.0.1]:PORT', host: '127.0.0.1' },
    { entry: '127.0.0.1:PORT', host: 'shop.example' },
    { entry: 'shop.example:PORT', host: 'shop.example' },
    { entry: '*.example:PORT', host: 'shop.example' },
  ];
  for (const { entry, host } of entries) {
    it(`behind ${entry} opens that port of ${host}, and no other`, async () => {
      const { url } = await loopback((_, response) => response.end('open'));
      const { port, connections } = await victim();
      answerNames({ 'shop.example': [['127.0.0.1']] });
      const kernel = await guardedKernel([entry.replace('PORT', new URL(url).port)]);
      expect(await kernel.execute('get', { url: url.replace('127.0.0.1', host) })).to.equal('open');
      await rejection(kernel.execute('get', { url: `http://${host}:${port}/` }), 'OUTBOUND_BLOCKED');
      expect(connections).to.deep.equal([]);
    });
  }

  it('that a URL does not name is that of its scheme', async () => {
    const kernel = await guardedKernel(['127.0.0.1:443', 'shop.example:443', '127.0.0.2:80']);
    answerNames({ 'shop.example': [['10.0.0.1']] });
    for (const url of ['http://127.0.0.1/', 'http://shop.example/', 'https://127.0.0.1:80/', 'https://127.0.0.2/']) {
      await rejection(kernel.execute('get', { url }), 'OUTBOUND_BLOCKED');
    }
  });

  it('beside the one of the operator’s own host stays closed, for a redirect as well', async () => {
    const { port, connections } = await victim();
    const { url } = await loopback((_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end());
    const handler = async (_: unknown, { fetch }: FunctionContext) => (await fetch(url, {}, { hostFrom: 'definition' })).text();
    const kernel = await guardedKernel([], { tools: [{ name: 'own', description: 'Fetches.', execution: { type: 'function', handler } }] });
    await rejection(kernel.execute('own'), 'OUTBOUND_BLOCKED');
    expect(connections).to.deep.equal([]);
  });
});
