import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { suiteKernel } from '../../executor-function/function-kernel.ts';
import { connect, handlerTool, refusal, textOf } from '../support/client.ts';

const logMessage = 'notifications/message';

/** Logs a line of each level. */
const chatty = handlerTool((_, { logger }) => {
  for (const level of ['error', 'warn', 'info', 'debug'] as const) logger[level](`a line of ${level}`);
  return 'done';
});

describe('log lines of a call, for the client', () => {
  const wanted: { level: LoggingLevel | undefined; heard: readonly string[] }[] = [
    { level: undefined, heard: ['error', 'warning', 'info'] },
    { level: 'debug', heard: ['error', 'warning', 'info', 'debug'] },
    { level: 'info', heard: ['error', 'warning', 'info'] },
    { level: 'notice', heard: ['error', 'warning'] },
    { level: 'warning', heard: ['error', 'warning'] },
    { level: 'error', heard: ['error'] },
    { level: 'critical', heard: [] },
    { level: 'alert', heard: [] },
    { level: 'emergency', heard: [] },
  ];
  for (const { level, heard } of wanted) {
    it(`are ${heard.join(', ') || 'none'} when it ${level === undefined ? 'says nothing' : `wants ${level}`}`, async () => {
      const connected = await connect(await testKernel({ tools: [chatty] }));
      if (level !== undefined) await connected.client.setLoggingLevel(level);
      textOf(await connected.call('it'));
      expect((await connected.heard(logMessage)).map((params) => params['level'])).to.deep.equal(heard);
    });
  }

  it('follow the level of each client, also when it changes', async () => {
    const kernel = await testKernel({ tools: [chatty] });
    const [loud, silent] = [await connect(kernel), await connect(kernel)];
    await silent.client.setLoggingLevel('emergency');
    await loud.client.setLoggingLevel('error');
    await loud.client.setLoggingLevel('warning');
    await Promise.all([loud.call('it'), silent.call('it')]);
    expect(await loud.heard(logMessage)).to.have.length(2);
    expect(await silent.heard(logMessage)).to.have.length(0);
  });

  it('refuse a level that does not exist', async () => {
    const { client } = await connect(await testKernel({ tools: [chatty] }));
    await refusal(client.setLoggingLevel('loud' as LoggingLevel), -32602);
  });

  const lines: { title: string; meta?: Readonly<Record<string, unknown>>; data: unknown }[] = [
    { title: 'the message alone', data: 'hello' },
    { title: 'the message and its metadata', meta: { n: 1, list: [true] }, data: { message: 'hello', n: 1, list: [true] } },
    { title: 'metadata that JSON does not hold', meta: { big: 1n, at: new URL('a:b') }, data: { message: 'hello', big: '1', at: 'a:b' } },
    {
      title: 'an error in the metadata',
      meta: { error: new RangeError('x') },
      data: { message: 'hello', error: { name: 'RangeError', message: 'x' } },
    },
  ];
  for (const { title, meta, data } of lines) {
    it(`carry ${title}, under the name of the tool`, async () => {
      const tool = handlerTool((_, { logger }) => {
        logger.info('hello', meta);
        return 'done';
      });
      const { call, heard } = await connect(await testKernel({ tools: [tool] }));
      textOf(await call('it'));
      expect(await heard(logMessage)).to.deep.equal([{ level: 'info', logger: 'it', data }]);
    });
  }

  it('keep their message beside metadata of that name', async () => {
    const tool = handlerTool((_, { logger }) => {
      logger.info('hello', { message: 'other' });
      return 'done';
    });
    const { call, heard } = await connect(await testKernel({ tools: [tool] }));
    textOf(await call('it'));
    expect(JSON.stringify(await heard(logMessage))).to.include('hello');
  });

  it('go to the log of the server as well, whatever the client wants', async () => {
    const logger = memoryLogger();
    const { client, call } = await connect(await testKernel({ tools: [chatty], logger }));
    await client.setLoggingLevel('emergency');
    textOf(await call('it'));
    const levels = logger.records.flatMap(({ level, message }) => (message.startsWith('a line of') ? [level] : []));
    expect(levels).to.deep.equal(['error', 'warn', 'info', 'debug']);
  });
});

describe('log lines of a call in another thread or process', () => {
  const logger = memoryLogger();
  const suite = suiteKernel({
    files: {
      'log.mjs': `export const log = (_, { logger }) => {
        for (const level of ['error', 'warn', 'info', 'debug']) logger[level]('a line', { at: level, n: [1] });
        return 'done';
      };
      export const alone = (_, { logger }) => { logger.info('alone'); return 'done'; };`,
      'log.py': [
        'def log(parameters, context):',
        '    for level in ["error", "warn", "info", "debug"]:',
        '        context.log(level, "a line", at=level, n=[1])',
        '    return "done"',
        'def alone(parameters, context):',
        '    context.log("info", "alone")',
        '    return "done"',
        'def named(parameters, context):',
        '    context.log("info", "a line", **{"level": 3})',
        '    return "done"',
        'def wrong(parameters, context):',
        '    context.log("loud", "x")',
      ].join('\n'),
    },
    tools: {
      thread: { code: './log.mjs#log', worker: true },
      python: './log.py#log',
      thread_alone: { code: './log.mjs#alone', worker: true },
      python_alone: './log.py#alone',
      named: './log.py#named',
      wrong: './log.py#wrong',
    },
    logger,
  });

  for (const runtime of ['thread', 'python']) {
    it(`reach the client from ${runtime}, in their order and before the result`, async () => {
      const { client, call, heard, sent } = await connect(suite.kernel);
      await client.setLoggingLevel('debug');
      textOf(await call(runtime));
      const levels = ['error', 'warning', 'info', 'debug'];
      const names = ['error', 'warn', 'info', 'debug'];
      const expected = levels.map((level, index) => ({
        level,
        logger: runtime,
        data: { message: 'a line', at: names[index], n: [1] },
      }));
      expect(sent.at(-1)).to.have.nested.property('result.content');
      expect(await heard(logMessage)).to.deep.equal(expected);
      expect(logger.records.filter(({ meta }) => meta?.['at'] === 'warn').length, 'in the log of the server').to.be.greaterThan(0);
    });

    it(`carry the message alone from ${runtime}`, async () => {
      const { call, heard } = await connect(suite.kernel);
      textOf(await call(`${runtime}_alone`));
      expect(await heard(logMessage)).to.deep.equal([{ level: 'info', logger: `${runtime}_alone`, data: 'alone' }]);
    });
  }

  it('may have metadata of any name in Python', async () => {
    const { call, heard } = await connect(suite.kernel);
    textOf(await call('named'));
    expect(await heard(logMessage)).to.deep.equal([{ level: 'info', logger: 'named', data: { message: 'a line', level: 3 } }]);
  });

  it('of a level that does not exist fail the call', async () => {
    const { content, isError } = await (await connect(suite.kernel)).call('wrong');
    expect(isError).to.equal(true);
    expect(JSON.stringify(content)).to.include('expected the level error, warn, info or debug');
  });
});
