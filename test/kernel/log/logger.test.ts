import { expect } from 'chai';
import sinon from 'sinon';
import { createLogger, type LoggerOptions } from '../../../kernel/index.ts';
import { keptLogger } from '../../support/log-lines.ts';

function linesOf(options: LoggerOptions, meta?: Record<string, unknown>): readonly string[] {
  const logger = keptLogger(options);
  logger.error('e', meta);
  logger.warn('w', meta);
  logger.info('i', meta);
  logger.debug('d', meta);
  return logger.lines;
}

describe('the logger', () => {
  it('writes simple records as [time] [LEVEL] message and metadata', () => {
    expect(linesOf({ format: 'simple' }, { tool: 'x', n: 1 })).to.deep.equal([
      '[2026-03-04 05:06:07] [ERROR] e {"tool":"x","n":1}\n',
      '[2026-03-04 05:06:07] [WARN] w {"tool":"x","n":1}\n',
      '[2026-03-04 05:06:07] [INFO] i {"tool":"x","n":1}\n',
    ]);
  });

  it('writes JSON records with the metadata at the top level', () => {
    const [line] = linesOf({ format: 'json' }, { tool: 'x' });
    expect(line).to.equal('{"timestamp":"2026-03-04 05:06:07","level":"error","message":"e","tool":"x"}\n');
  });

  it('writes nothing behind the message when there is no metadata', () => {
    for (const meta of [undefined, {}]) expect(linesOf({ format: 'simple' }, meta)[2]).to.equal('[2026-03-04 05:06:07] [INFO] i\n');
  });

  const levels = [
    { level: 'silent', written: [] },
    { level: 'error', written: ['ERROR'] },
    { level: 'warn', written: ['ERROR', 'WARN'] },
    { level: 'info', written: ['ERROR', 'WARN', 'INFO'] },
    { level: 'debug', written: ['ERROR', 'WARN', 'INFO', 'DEBUG'] },
  ] as const;
  for (const { level, written } of levels)
    it(`at level ${level} writes ${written.join(', ') || 'nothing'}`, () => {
      const shown = linesOf({ level, format: 'simple' }).map((line) => /\] \[(\w+)\]/.exec(line)?.[1]);
      expect(shown).to.deep.equal(written);
    });

  it('does nothing at all at level silent: the four methods are the same empty function', () => {
    const { error, warn, info, debug } = keptLogger({ level: 'silent' });
    expect(new Set([error, warn, info, debug]).size).to.equal(1);
    expect(error.toString()).to.match(/\{\s*\}$/);
  });

  it('writes the stacks of errors at level debug, and at no other', () => {
    const error = new Error('failed');
    expect(linesOf({ level: 'debug', format: 'json' }, { error })[0]).to.include('logger.test.ts');
    expect(linesOf({ level: 'info', format: 'json' }, { error })[0]).to.not.include('logger.test.ts');
  });

  it('writes every record, also the same many times while the clock is turned back', () => {
    const clock = sinon.useFakeTimers(1_000_000);
    try {
      const logger = keptLogger();
      for (let round = 0; round < 20; round++) {
        clock.setSystemTime(1_000_000 - round * 1000);
        logger.info('same');
      }
      expect(logger.lines).to.have.length(20);
    } finally {
      clock.restore();
    }
  });

  it('goes on when the place where lines go throws', () => {
    const logger = createLogger({
      env: {},
      write: () => {
        throw new Error('gone');
      },
    });
    expect(() => logger.info('x')).to.not.throw();
  });
});

describe('the settings of the logger', () => {
  const formats = [
    { env: { NODE_ENV: 'production' }, format: 'json' },
    { env: { NODE_ENV: ' Production ' }, format: 'json' },
    { env: { NODE_ENV: 'development' }, format: 'simple' },
    { env: { NODE_ENV: 'test' }, format: 'simple' },
    { env: {}, format: 'simple' },
    { env: { NODE_ENV: 'production', TOOLKIT_LOG_FORMAT: 'simple' }, format: 'simple' },
    { env: { TOOLKIT_LOG_FORMAT: ' JSON' }, format: 'json' },
    { env: { NODE_ENV: 'production', TOOLKIT_LOG_FORMAT: '' }, format: 'json' },
  ] as const;
  for (const { env, format } of formats)
    it(`are ${format} with ${JSON.stringify(env)}`, () => expect(linesOf({ env })[0]).to.match(format === 'json' ? /^\{/ : /^\[/));

  it('come from the environment before the options', () => {
    const lines = linesOf({ level: 'error', format: 'simple', env: { TOOLKIT_LOG_LEVEL: ' DEBUG ', TOOLKIT_LOG_FORMAT: 'json' } });
    expect(lines).to.have.length(4);
    expect(lines[0]).to.match(/^\{/);
  });

  it('are info when the environment holds blanks and the options nothing', () => {
    expect(linesOf({ env: { TOOLKIT_LOG_LEVEL: ' ', TOOLKIT_LOG_FORMAT: '' } })).to.have.length(3);
  });

  it('ignore what is not known in the environment, and say so once', () => {
    const env = { TOOLKIT_LOG_LEVEL: 'debugg', TOOLKIT_LOG_FORMAT: 'yaml' };
    const first = linesOf({ env, level: 'error' });
    expect(first).to.have.length(3);
    expect(first[0]).to.include('[WARN] TOOLKIT_LOG_LEVEL');
    expect(linesOf({ env, level: 'warn' }).slice(0, 2)).to.deep.equal([
      '[2026-03-04 05:06:07] [ERROR] e\n',
      '[2026-03-04 05:06:07] [WARN] w\n',
    ]);
  });

  it('warn with the nearest known word', () => {
    const [level, format] = linesOf({ env: { TOOLKIT_LOG_LEVEL: 'debugg', TOOLKIT_LOG_FORMAT: 'jsn' } });
    expect(level).to.equal(
      '[2026-03-04 05:06:07] [WARN] TOOLKIT_LOG_LEVEL expected one of silent, error, warn, info, debug, received string "debugg". Did you mean "debug"? It is ignored.\n',
    );
    expect(format).to.include('Did you mean "json"?');
  });

  it('refuse an option that is not known', () => {
    expect(() => createLogger({ level: 'loud' as 'info', env: {} }))
      .to.throw('The option logLevel expected one of silent, error, warn, info, debug, received string "loud".')
      .with.property('code', 'CONFIG_INVALID');
    expect(() => createLogger({ format: 'xml' as 'json', env: {} })).to.throw('The option logFormat expected one of json, simple');
  });
});
