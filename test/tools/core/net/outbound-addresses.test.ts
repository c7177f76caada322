import { expect } from 'chai';
import { apiVersion, definePlugin, type OutboundOptions } from '../../../../kernel/index.ts';
import { executorFunction, type FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { answerNames, guardedKernel } from '../../../plugins/guard-outbound/guarded.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel, testKernel } from '../../../support/test-kernel.ts';

interface Asked {
  readonly host: string;
  readonly port?: number;
  readonly options?: OutboundOptions;
}

const tool = {
  name: 'addresses',
  description: 'Gives the addresses that it may connect to.',
  parameters: { host: { type: 'string' }, port: { type: 'integer' }, options: { type: 'object', additionalProperties: true } },
  execution: {
    type: 'function',
    handler: ({ host, port = 5432, options }: Asked, context: FunctionContext) => context.addressesOf(host, port, options),
  },
};

const guarded = (allow: readonly string[] = []) => guardedKernel(allow, { tools: [tool] });

describe('the addresses of a host for a connection without fetch', () => {
  it('are all that the name has, in their order', async () => {
    answerNames({ 'shop.example': [['2606:4700:4700::1111', '93.184.215.14']] });
    expect(await (await guarded()).execute('addresses', { host: 'shop.example' })).to.deep.equal([
      { address: '2606:4700:4700::1111', family: 6 },
      { address: '93.184.215.14', family: 4 },
    ]);
  });

  it('are that of a host that is an address', async () => {
    const kernel = await guarded();
    expect(await kernel.execute('addresses', { host: '1.1.1.1' })).to.deep.equal([{ address: '1.1.1.1', family: 4 }]);
    expect(await kernel.execute('addresses', { host: '[2606:4700:4700::1111]' })).to.deep.equal([
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
  });

  const inside = [
    '127.0.0.1',
    '::1',
    '[::1]',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0.0.0.0',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
  ];
  const more = [
    '168.63.129.16',
    'fd00::1',
    'fe80::1%lo',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    'LOCALHOST',
    'half.example',
  ];
  for (const host of [...inside, ...more]) {
    it(`are not given for ${host}`, async () => {
      answerNames({ localhost: [['127.0.0.1']], 'half.example': [['93.184.215.14', '10.0.0.1']] });
      const error = await rejection((await guarded()).execute('addresses', { host }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('are blocked').and.include('allowHosts');
    });
  }

  const allowed = [
    { allow: ['127.0.0.1'], host: '127.1', address: '127.0.0.1' },
    { allow: ['10.0.0.0/8'], host: 'db.example', address: '10.0.0.1' },
    { allow: ['db.example'], host: 'DB.example', address: '10.0.0.1' },
    { allow: ['db.example:5432'], host: 'db.example', address: '10.0.0.1' },
    { allow: ['bücher.example'], host: 'Bücher.example', address: '10.0.0.2' },
    { allow: ['[fd00::1]:5432'], host: '[fd00::1]', address: 'fd00::1' },
  ];
  for (const { allow, host, address } of allowed) {
    it(`are given for ${host} where ${allow} is allowed`, async () => {
      answerNames({ 'db.example': [['10.0.0.1']], 'xn--bcher-kva.example': [['10.0.0.2']] });
      const [found] = (await (await guarded(allow)).execute('addresses', { host })) as { address: string }[];
      expect(found?.address).to.equal(address);
    });
  }

  it('are given for the port that is allowed only', async () => {
    const kernel = await guarded(['127.0.0.1:5432']);
    expect(await kernel.execute('addresses', { host: '127.0.0.1', port: 5432 })).to.have.length(1);
    await rejection(kernel.execute('addresses', { host: '127.0.0.1', port: 5433 }), 'OUTBOUND_BLOCKED');
  });

  it('are given for a host that the operator has written, and not when the call claims it', async () => {
    const options: OutboundOptions = { hostFrom: 'definition' };
    const trusted = async (trust: 'operator' | 'package', given: OutboundOptions): Promise<unknown> => {
      const source = definePlugin({
        name: 'given',
        apiVersion,
        apply: ({ hooks }) => hooks.discover.tap('given', (sink) => sink.addTool(tool, { trust })),
      });
      const kernel = await bareKernel({ plugins: [source(), executorFunction(), guardOutbound({ env: {} })] });
      return kernel.execute('addresses', { host: '10.0.0.1', options: given });
    };
    expect(await trusted('operator', options)).to.deep.equal([{ address: '10.0.0.1', family: 4 }]);
    await rejection(trusted('operator', {}), 'OUTBOUND_BLOCKED');
    await rejection(trusted('package', options), 'OUTBOUND_BLOCKED');
    await rejection(trusted('package', { ...options, trust: 'operator' }), 'OUTBOUND_BLOCKED');
  });

  for (const host of [
    '',
    ' ',
    'https://shop.example',
    'shop.example:80',
    'a/b',
    'me@shop.example',
    'a b',
    'a\tb',
    'shop.example\0',
    '%31',
    '[shop]',
    '[::1',
    '*',
  ]) {
    it(`are not looked up for ${JSON.stringify(host)}, which is no host`, async () => {
      const asked = answerNames({});
      const error = await rejection((await guarded()).execute('addresses', { host }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('expected the name or the address of a host, received');
      expect(asked).to.deep.equal([]);
    });
  }

  it('are missing for a name that has none', async () => {
    answerNames({});
    const error = await rejection((await guarded()).execute('addresses', { host: 'nowhere.example' }), 'NOT_FOUND');
    expect(error.message).to.equal('The name "nowhere.example" has no address. Check how it is written.');
  });

  it('are given unchecked where no plugin checks them', async () => {
    const kernel = await testKernel({ tools: [tool] });
    expect(await kernel.execute('addresses', { host: '127.0.0.1' })).to.deep.equal([{ address: '127.0.0.1', family: 4 }]);
  });

  it('can be wrapped by several plugins, the last one outermost, and by none after its start', async () => {
    const order: string[] = [];
    let late = (): void => {};
    const wrapping = (name: string) =>
      definePlugin({
        name,
        apiVersion,
        apply: ({ extend }) => {
          const wrap = (): void =>
            extend.addresses((next) => (host, port, options) => {
              order.push(name);
              return next(host, port, options);
            });
          wrap();
          late = wrap;
        },
      })();
    const kernel = await testKernel({ plugins: [wrapping('first'), wrapping('last')], tools: [tool] });
    await kernel.execute('addresses', { host: '127.0.0.1' });
    expect(order).to.deep.equal(['last', 'first']);
    expect(late).to.throw('adds an address wrapper after apply()');
  });

  it('are not there in a worker thread, which says so', async () => {
    const folder = await temporaryFolder({ 'tool.mjs': 'export const run = (_, context) => context.addressesOf("1.1.1.1", 80);\n' });
    const source = definePlugin({
      name: 'given',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('given', (sink) =>
          sink.addTool(
            { name: 'threaded', description: 'Asks.', execution: { type: 'function', code: './tool.mjs#run', worker: true } },
            { directory: folder },
          ),
        ),
    });
    const kernel = await bareKernel({ plugins: [source(), executorFunction()] });
    const error = await rejection(kernel.execute('threaded'), 'EXECUTION_FAILED');
    expect(error.message).to.include('context.addressesOf is not available in a worker thread');
  });
});
