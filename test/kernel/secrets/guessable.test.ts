import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const long = 'hunter22-of-the-shop';
const values = { PIN_TOKEN: '4821', LONG_PIN_TOKEN: '482193550172', SHORT_TOKEN: 'ab-cd7', SHOP_TOKEN: long };
const guessable = { PIN_TOKEN: '4821', LONG_PIN_TOKEN: '482193550172', SHORT_TOKEN: 'ab-cd7' };

type Handler = (parameters: { readonly text?: string }, context: FunctionContext) => unknown;

const tool = (name: string, handler: Handler, more: Readonly<Record<string, unknown>> = {}) =>
  echoTool({ name, execution: { type: 'function', handler }, ...more });

const pure = { pure: true, annotations: { readOnlyHint: true, openWorldHint: false } };

async function secretive(tools: readonly unknown[] = []) {
  const logger = memoryLogger();
  const ends: unknown[] = [];
  const witness = definePlugin({
    name: 'witness',
    apiVersion,
    apply: ({ hooks }) => hooks.settled.tap('witness', (end) => void ends.push([end.parameters, end.outcome])),
  });
  const using = tool('uses', (parameters) => parameters, { secrets: Object.keys(values) });
  const kernel = await testKernel({
    tools: [echoTool(), using, ...tools],
    secrets: values,
    plugins: [executorCommand(), witness()],
    logger,
  });
  await kernel.resolveSecrets();
  return { kernel, logger, ends: () => JSON.stringify(ends) };
}

/** The error of a call that must fail. */
async function errorOf(kernel: Kernel, name: string, parameters: object): Promise<Error> {
  return kernel.call({ tool: name, parameters: { ...parameters } }).then(
    () => expect.fail('it did not fail'),
    (error: Error) => error,
  );
}

describe('a secret that can be guessed', () => {
  for (const [name, value] of Object.entries(guessable)) {
    it(`is not told by what comes back of a call that does not use it: ${name}`, async () => {
      const fails = tool('fails', ({ text }) => {
        throw new Error(`no ${text}`);
      });
      const { kernel } = await secretive([fails]);
      expect(await kernel.execute('echo', { text: `x ${value} y` })).to.deep.equal({ text: `x ${value} y` });
      expect((await errorOf(kernel, 'fails', { text: value })).message).to.include(value);
      expect((await errorOf(kernel, value, {})).message).to.include(value);
      expect((await errorOf(kernel, 'echo', { [value]: 1 })).message).to.include(value);
      expect(kernel.mask({ text: value, number: Number(value) })).to.deep.equal({ text: value, number: Number(value) });
    });

    it(`is masked in calls that use it: ${name}`, async () => {
      const { kernel, ends } = await secretive();
      expect(await kernel.execute('uses', { text: `x ${value} y` })).to.deep.equal({ text: `x [secret ${name}] y` });
      expect(ends()).not.to.include(value);
    });
  }

  it('is named by the log where it is resolved, once', async () => {
    const { kernel, logger } = await secretive();
    await kernel.execute('uses');
    const warned = logger.records.filter(({ message }) => message.includes('can be guessed'));
    expect(warned.map(({ meta }) => meta?.['name'])).to.have.members(Object.keys(guessable));
    expect(JSON.stringify(warned)).not.to.match(/4821|ab-cd7/);
  });

  it('is masked in the log and nowhere else while another call uses it', async () => {
    let seen: unknown;
    const { kernel, logger } = await secretive([
      tool(
        'waits',
        async () => {
          kernelOf().logger.warn('a line: 4821');
          seen = [kernelOf().mask('4821'), await kernelOf().execute('echo', { text: '4821' })];
          return {};
        },
        { secrets: ['PIN_TOKEN'] },
      ),
    ]);
    const kernelOf = (): Kernel => kernel;
    await kernel.execute('waits');
    expect(seen).to.deep.equal(['4821', { text: '4821' }]);
    expect(logger.records.map(({ message }) => message)).to.include('a line: [secret PIN_TOKEN]');
  });
});

describe('the answer of a pure tool', () => {
  const shout = tool('shout', ({ text = '' }) => ({ text: Buffer.from(text, 'base64').toString() }), pure);
  const quote = tool(
    'quote',
    ({ text }) => {
      throw new Error(`no ${text}`);
    },
    pure,
  );

  it('is what its caller sent, also where that is a secret, and is masked in log and trail', async () => {
    const { kernel, logger, ends } = await secretive([shout, quote]);
    expect(await kernel.execute('shout', { text: Buffer.from(long).toString('base64') })).to.deep.equal({ text: long });
    expect((await errorOf(kernel, 'quote', { text: long })).message).to.include(long);
    expect((await errorOf(kernel, 'quote', { text: long, [long]: 1 })).message).to.include(long);
    expect(ends()).not.to.include(long);
    expect(JSON.stringify(logger.records)).not.to.include(long);
  });

  it('is masked where another plugin has given another one', async () => {
    const swap = definePlugin({
      name: 'swap',
      apiVersion,
      apply: ({ hooks }) => hooks.validateOutput.tap('swap', (result) => ({ ...result, output: { text: long } })),
    });
    const kernel = await testKernel({
      tools: [shout, tool('uses', () => ({}), { secrets: ['SHOP_TOKEN'] })],
      secrets: values,
      plugins: [swap()],
    });
    await kernel.resolveSecrets();
    expect(await kernel.execute('shout', { text: '' })).to.deep.equal({ text: '[secret SHOP_TOKEN]' });
  });

  it('is masked where the tool does not say that it is pure', async () => {
    const { kernel } = await secretive();
    expect(await kernel.execute('echo', { text: long })).to.deep.equal({ text: '[secret SHOP_TOKEN]' });
  });

  for (const [what, handler] of Object.entries<Handler>({
    fetch: async (_, context) => (await context.fetch('http://127.0.0.1:9/')).status,
    addressesOf: async (_, context) => context.addressesOf('localhost', 80),
  }))
    it(`is refused where the tool uses context.${what}`, async () => {
      const { kernel } = await secretive([tool('reaches', handler, pure)]);
      expect((await errorOf(kernel, 'reaches', {})).message).to.include(`context.${what}`);
    });

  const refused: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'the tool uses secrets': { secrets: ['SHOP_TOKEN'] },
    'the annotations do not say': { annotations: { readOnlyHint: true } },
    'the parameter "text" has "names_secret"': { parameters: { text: { type: 'string', names_secret: true } } },
    'the parameter "text" has "auth"': { parameters: { text: { type: 'string', auth: true } } },
    'what is executed reaches programs': { execution: { type: 'command', command: 'echo', args: ['{text}'] } },
  };
  for (const [why, more] of Object.entries(refused))
    it(`cannot be one where ${why}`, async () => {
      const { kernel } = await secretive();
      const definition = { ...echoTool({ execution: { type: 'function', code: './x.mjs' } }), name: 'other', ...pure, ...more };
      const problems = kernel.check(definition).filter(({ path: at }) => at === 'pure');
      expect(problems.map(({ message }) => message).join(' ')).to.include(why);
    });
});
