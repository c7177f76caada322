import { expect } from 'chai';
import { createLogger, type LoggerOptions } from '../../kernel/index.ts';

const now = (): Date => new Date('2026-03-04T05:06:07.890Z');

function linesOf(options: LoggerOptions, meta?: Record<string, unknown>): string[] {
  const lines: string[] = [];
  const logger = createLogger({ now, env: {}, ...options, write: (line) => void lines.push(line) });
  logger.error('e', meta);
  logger.warn('w', meta);
  logger.info('i', meta);
  logger.debug('d', meta);
  return lines;
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
    expect(JSON.parse(line ?? '')).to.deep.equal({ timestamp: '2026-03-04 05:06:07', level: 'error', message: 'e', tool: 'x' });
  });

  const levels = [
    { level: 'silent', count: 0 },
    { level: 'error', count: 1 },
    { level: 'warn', count: 2 },
    { level: 'info', count: 3 },
    { level: 'debug', count: 4 },
  ] as const;
  for (const { level, count } of levels)
    it(`at level ${level} writes ${count} of four levels`, () => expect(linesOf({ level })).to.have.length(count));

  it('takes level and format from the environment before the options', () => {
    const lines = linesOf({ level: 'error', format: 'simple', env: { TOOLKIT_LOG_LEVEL: 'DEBUG', TOOLKIT_LOG_FORMAT: 'json' } });
    expect(lines).to.have.length(4);
    expect(lines[0]).to.match(/^\{/);
  });

  it('is JSON in production and simple elsewhere', () => {
    expect(linesOf({ env: { NODE_ENV: 'production' } })[0]).to.match(/^\{/);
    expect(linesOf({ env: { NODE_ENV: 'test' } })[0]).to.match(/^\[/);
  });

  it('survives circular metadata, errors with causes and bigints', () => {
    const circular: Record<string, unknown> = { big: 7n, error: new Error('outer', { cause: new Error('inner') }) };
    circular['self'] = circular;
    const [line] = linesOf({ format: 'json' }, circular);
    expect(JSON.parse(line ?? '')).to.deep.include({
      big: '7',
      self: '[circular]',
      error: { name: 'Error', message: 'outer', cause: { name: 'Error', message: 'inner' } },
    });
  });
});
