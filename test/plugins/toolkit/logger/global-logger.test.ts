import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { getGlobalToolkitLogger, type Logger, setGlobalToolkitLogger, Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

const opened: Toolkit[] = [];

afterEach(async () => {
  setGlobalToolkitLogger(undefined);
  await Promise.all(opened.splice(0).map((toolkit) => toolkit.close()));
});

async function open(options: Parameters<typeof Toolkit.init>[0] = {}): Promise<Toolkit> {
  const toolkit = await Toolkit.init({ includeCore: false, logLevel: 'silent', ...options });
  opened.push(toolkit);
  return toolkit;
}

describe('the global logger', () => {
  it('is a built-in one, always the same, before anything is set or opened', () => {
    const logger = getGlobalToolkitLogger();
    expect(logger).to.have.all.keys('error', 'warn', 'info', 'debug');
    expect(getGlobalToolkitLogger()).to.equal(logger);
  });

  it('is the one that was set, as it is', () => {
    const own = memoryLogger();
    setGlobalToolkitLogger(own);
    expect(getGlobalToolkitLogger()).to.equal(own);
  });

  it('is that of the first toolkit that is open, then of the next, then the built-in one', async () => {
    const byDefault = getGlobalToolkitLogger();
    const [first, second] = [await open(), await open()];
    expect(getGlobalToolkitLogger()).to.equal(first.getLogger());
    await first.close();
    expect(getGlobalToolkitLogger()).to.equal(second.getLogger());
    await second.close();
    expect(getGlobalToolkitLogger()).to.equal(byDefault);
  });

  it('stays the one that was set when a toolkit is opened, with a logger of its own or not', async () => {
    const own = memoryLogger();
    setGlobalToolkitLogger(own);
    await open({ logger: memoryLogger() });
    await open();
    expect(getGlobalToolkitLogger()).to.equal(own);
  });

  it('takes the place of the built-in one in toolkits that are opened afterwards', async () => {
    const [own, others] = [memoryLogger(), memoryLogger()];
    setGlobalToolkitLogger(own);
    (await open({ logLevel: 'info' })).getLogger().info('to the global one');
    (await open({ logLevel: 'info', logger: others })).getLogger().info('to its own');
    expect(own.records.map(({ message }) => message)).to.deep.equal(['to the global one']);
    expect(others.records.map(({ message }) => message)).to.deep.equal(['to its own']);
  });

  it('is refused when it lacks a method', () => {
    expect(() => setGlobalToolkitLogger({ info() {} } as unknown as Logger))
      .to.throw(
        'The global logger cannot be used: expected an object with the methods error, warn, info, debug, received one without error',
      )
      .with.property('code', 'CONFIG_INVALID');
  });
});

describe('the logger of a toolkit', () => {
  it('is refused at the start when it lacks a method, as is a level that is not known', async () => {
    for (const options of [{ logger: {} as Logger }, { logLevel: 'loud' as 'info' }, { logFormat: 'xml' as 'json' }]) {
      const error = await Toolkit.init({ includeCore: false, ...options }).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', 'CONFIG_INVALID');
    }
  });

  it('masks the secrets that the toolkit knows', async () => {
    const own = memoryLogger();
    const definition = {
      name: 'demo',
      description: 'd',
      parameters: {},
      execution: { type: 'http', method: 'get', url: 'http://127.0.0.1/', headers: { authorization: 'Bearer {DEMO_TOKEN}' } },
    };
    const provider = definePlugin({
      name: 'demo',
      apiVersion,
      apply(kernel) {
        kernel.hooks.discover.tap('demo', (sink) => sink.addTool(definition, { trust: 'operator' }));
        kernel.hooks.resolveSecrets.tap('demo', (sink) => sink.provide('DEMO_TOKEN', 'planted-secret-value'));
      },
    });
    const toolkit = await open({ logger: own, logLevel: 'debug', plugins: [provider()] });
    await toolkit.kernel.resolveSecrets();
    toolkit.getLogger().info('token planted-secret-value', { token: 'planted-secret-value' });
    getGlobalToolkitLogger().warn('global planted-secret-value');
    expect(JSON.stringify(own.records)).to.include('[secret DEMO_TOKEN]').and.include('global').and.not.include('planted-secret');
  });
});
