import { expect } from 'chai';
import { ask, definePlugin, deny, type HttpRouteAccess } from '../../kernel/index.ts';
import { createMCPServer, Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { afterEach } from '../support/after-each.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

describe('the example in the doc comment', () => {
  it('of deny refuses a call', async () => {
    const plugin = definePlugin({
      name: 'office',
      apiVersion: 1,
      apply(kernel) {
        kernel.hooks.beforeExecute.tap('closed', (draft) => deny(draft, { kind: 'closed', message: 'the office is closed' }));
      },
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [plugin()] });
    expect((await rejection(kernel.execute('echo'), 'POLICY_DENIED')).message).to.include('the office is closed');
  });

  it('of ask asks for an approval, which nobody gives', async () => {
    const plugin = definePlugin({
      name: 'bank',
      apiVersion: 1,
      apply(kernel) {
        kernel.hooks.beforeExecute.tap('big-sums', (draft) => ask(draft, { kind: 'sum', message: 'it is a large sum' }));
      },
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [plugin()] });
    expect((await rejection(kernel.execute('echo'), 'APPROVAL_REQUIRED')).message).to.include('it is a large sum');
  });

  it('of definePlugin adds a tap', async () => {
    const close = () => undefined;
    const officeHours = definePlugin({
      name: 'office-hours',
      apiVersion: 1,
      apply: ({ hooks }) => hooks.beforeExecute.tap('hours', close),
    });
    const kernel = await testKernel({ plugins: [officeHours()] });
    expect(kernel.tapsOf('beforeExecute').map(({ name }) => name)).to.include('office-hours:hours');
  });

  it('of httpRoute adds a page', async () => {
    let pages: HttpRouteAccess | undefined;
    const plugin = definePlugin({
      name: 'pages',
      apiVersion: 1,
      apply({ extend }) {
        pages = extend.httpRoute({ path: '/hello', handle: () => ({ status: 200, body: `This is ${pages?.baseUrl()}.` }) });
      },
    });
    const kernel = await testKernel({ plugins: [plugin()] });
    kernel.httpRoutes.serve({ baseUrl: 'https://tools.example', hasSeveralCallers: false });
    expect(kernel.httpRoutes.routes.map(({ handle }) => handle({} as never))).to.deep.equal([
      { status: 200, body: 'This is https://tools.example.' },
    ]);
  });

  it('of addTool adds a tool, and that of call runs it', async () => {
    const definition = echoTool({ name: 'greet', parameters: { who: { type: 'string' } } });
    const plugin = definePlugin({
      name: 'mine',
      apiVersion: 1,
      apply(kernel) {
        kernel.hooks.discover.tap('my-tools', (sink) => sink.addTool(definition, { trust: 'operator' }));
      },
    });
    const kernel = await testKernel({ plugins: [plugin()] });
    const { output } = await kernel.call({ tool: 'greet', parameters: { who: 'you' }, caller: 'ada' });
    expect(output).to.deep.equal({ who: 'you' });
  });

  it('of Toolkit.init loads tools and runs one', async () => {
    const tool = 'name: text_reverse\ndescription: Reverses a text.\nparameters: {text: {type: string}}\nexecution:\n';
    const code = '  type: function\n  code: ./reverse.js\n';
    const folder = await temporaryFolder({
      'tools/text_reverse.yaml': tool + code,
      'tools/reverse.js': 'export default ({ text }) => [...text].reverse().join("");\n',
      'package.json': '{ "type": "module" }',
    });
    const toolkit = await Toolkit.init({ toolPaths: ['./tools'], cwd: folder, logger: memoryLogger() });
    stops.push(() => toolkit.close());
    expect(await toolkit.execute('text_reverse', { text: 'stressed' })).to.equal('desserts');
  });

  it('of createMCPServer has an address and a token', async () => {
    const server = await createMCPServer({ transport: 'http', port: 0, toolPaths: [], logger: memoryLogger() });
    stops.push(() => server.stop());
    expect(server.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(server.getActiveToken()).to.be.a('string').and.not.equal('');
  });
});
