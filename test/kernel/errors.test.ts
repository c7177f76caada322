import { expect } from 'chai';
import { errorCodes, excerpt, ToolkitError } from '../../kernel/index.ts';

describe('ToolkitError', () => {
  it('is recognised across copies of the package by its brand', () => {
    const foreign = { [Symbol.for('toolkit.error')]: true };
    expect(ToolkitError.is(foreign)).to.equal(true);
    expect(ToolkitError.is(new Error('x'))).to.equal(false);
    expect(ToolkitError.is(undefined)).to.equal(false);
  });

  it('takes retryable from its code unless its details say otherwise', () => {
    expect(new ToolkitError('RATE_LIMITED', 'x').retryable).to.equal(true);
    expect(new ToolkitError('BAD_REQUEST', 'x').retryable).to.equal(false);
    expect(new ToolkitError('RATE_LIMITED', 'x', { retryable: false }).retryable).to.equal(false);
  });

  it('writes itself as JSON with code, message and details, without stack or cause', () => {
    const error = new ToolkitError('TIMEOUT', 'too slow', { tool: 't', timeoutMs: 5 }, { cause: new Error('inner') });
    expect(JSON.parse(JSON.stringify(error))).to.deep.equal({
      code: 'TIMEOUT',
      message: 'too slow',
      retryable: true,
      tool: 't',
      timeoutMs: 5,
    });
    expect((error.cause as Error).message).to.equal('inner');
  });

  it('keeps details that are there when more are added', () => {
    const error = new ToolkitError('TIMEOUT', 'x', { tool: 'inner' }).with({ tool: 'outer', plugin: 'p' });
    expect(error.details).to.deep.equal({ tool: 'inner', plugin: 'p' });
  });

  it('gives every code a meaning', () => {
    for (const [code, { meaning }] of Object.entries(errorCodes)) expect(meaning, code).to.have.length.greaterThan(10);
  });

  it('shortens foreign text to one line of at most 200 characters', () => {
    expect(excerpt(` a\n\t b `)).to.equal('a b');
    expect(excerpt('x'.repeat(500)))
      .to.have.length(200)
      .and.to.match(/…$/);
  });
});
