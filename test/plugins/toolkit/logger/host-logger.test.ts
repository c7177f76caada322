import { expect } from 'chai';
import sinon from 'sinon';
import type { Logger } from '../../../../kernel/index.ts';
import { hostLogger } from '../../../../plugins/toolkit/logger/host-logger.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../support/rejection.ts';
import { bareKernel, echoTool, testKernel } from '../../../support/test-kernel.ts';

afterEach(() => sinon.restore());

/** Returns a function that gives the text written to standard error from now on. */
function standardError(): () => string {
  const write = sinon.stub(process.stderr, 'write').returns(true);
  return () => write.args.map(([text]) => String(text)).join('');
}

describe('a logger that is given', () => {
  it('keeps its this', async () => {
    class Kept implements Logger {
      readonly #lines: string[] = [];
      get lines(): readonly string[] {
        return this.#lines;
      }
      error(message: string): void {
        this.#lines.push(`error ${message}`);
      }
      warn(message: string): void {
        this.#lines.push(`warn ${message}`);
      }
      info(message: string): void {
        this.#lines.push(`info ${message}`);
      }
      debug(message: string): void {
        this.#lines.push(`debug ${message}`);
      }
    }
    const logger = new Kept();
    const kernel = await bareKernel({ plugins: [], logger });
    const { error, warn, info, debug } = kernel.logger;
    for (const log of [error, warn, info, debug]) log('x');
    expect(logger.lines.slice(-4)).to.deep.equal(['error x', 'warn x', 'info x', 'debug x']);
  });

  const wrong = [
    { logger: { error() {}, warn() {}, info() {} }, received: 'one without debug' },
    { logger: { error: 'x' }, received: 'one without error, warn, info, debug' },
    { logger: 'console', received: 'string "console"' },
    { logger: 7, received: 'number 7' },
    { logger: null, received: 'null' },
  ] as const;
  for (const { logger, received } of wrong)
    it(`is refused at the start when it is ${received}`, async () => {
      const error = await rejection(bareKernel({ plugins: [], logger: logger as unknown as Logger }), 'CONFIG_INVALID');
      expect(error.message).to.equal(
        `The logger cannot be used: expected an object with the methods error, warn, info, debug, received ${received}.`,
      );
    });

  const failing: readonly { readonly what: string; fail(): unknown }[] = [
    {
      what: 'throws',
      fail() {
        throw new Error('disk full');
      },
    },
    { what: 'returns a rejected promise', fail: () => Promise.reject(new Error('disk full')) },
    {
      what: 'throws what cannot be told',
      fail() {
        throw Object.create(null);
      },
    },
    {
      what: 'returns what throws when it is waited for',
      fail: () => ({
        // biome-ignore lint/suspicious/noThenProperty: what a careless logger may return
        get then(): never {
          throw new Error('disk full');
        },
      }),
    },
  ];
  for (const { what, fail } of failing)
    it(`breaks no call when it ${what}; that is said once, and what it fails on is written to standard error`, async () => {
      const written = standardError();
      const logger = { error: fail, warn: fail, info: fail, debug: fail } as Logger;
      const kernel = await testKernel({ tools: [echoTool()], logger });
      expect(await kernel.execute('echo', { text: 'x' })).to.deep.equal({ text: 'x' });
      kernel.logger.info('first', { n: 1 });
      kernel.logger.error('second');
      await new Promise(setImmediate);
      expect(written().match(/\[WARN\] The configured logger failed: /g)).to.have.length(1);
      expect(written()).to.include('[INFO] first {"n":1}').and.include('[ERROR] second');
    });

  it('gets every record when no level is asked for, whatever the format', () => {
    const given = memoryLogger();
    hostLogger({ logger: given, env: { TOOLKIT_LOG_FORMAT: 'json' } }).debug('d');
    expect(given.records.map(({ level }) => level)).to.deep.equal(['debug']);
  });

  const levels = [
    { level: 'warn', env: {}, shown: ['error', 'warn'] },
    { level: 'debug', env: { TOOLKIT_LOG_LEVEL: 'error' }, shown: ['error'] },
    { level: undefined, env: { TOOLKIT_LOG_LEVEL: 'silent' }, shown: [] },
    { level: 'error', env: { TOOLKIT_LOG_LEVEL: 'debug' }, shown: ['error', 'warn', 'info', 'debug'] },
    { level: 'debug', env: {}, maxLevel: 'info', shown: ['warn', 'error', 'warn', 'info'] },
    { level: undefined, env: {}, maxLevel: 'info', shown: ['error', 'warn', 'info'] },
    { level: undefined, env: { TOOLKIT_LOG_LEVEL: 'debug' }, maxLevel: 'info', shown: ['error', 'warn', 'info', 'debug'] },
  ] as const;
  for (const { level, env, shown, ...rest } of levels)
    it(`gets ${shown.join(', ') || 'nothing'} with level ${level} and ${JSON.stringify({ ...env, ...rest })}`, () => {
      const given = memoryLogger();
      const logger = hostLogger({ logger: given, level, env: { ...env }, ...rest });
      for (const name of ['error', 'warn', 'info', 'debug'] as const) logger[name]('x');
      expect(given.records.map((record) => record.level)).to.deep.equal(shown);
    });
});
