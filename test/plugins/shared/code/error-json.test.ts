import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { restoreThrown, toErrorJson } from '../../../../plugins/shared/code/error-json.ts';

/** Through a file and back. */
const again = (thrown: unknown): Error => restoreThrown(JSON.parse(JSON.stringify(toErrorJson(thrown))));

describe('an error as JSON', () => {
  it('has its name, its message and the members that are JSON', () => {
    const error = Object.assign(new TypeError('no such table'), {
      code: '42P01',
      position: 7,
      tags: ['a'],
      socket: () => {},
      none: undefined,
    });
    expect(toErrorJson(error)).to.deep.equal({ name: 'TypeError', message: 'no such table', code: '42P01', position: 7, tags: ['a'] });
    const rebuilt = again(error);
    expect(rebuilt).to.be.instanceOf(Error).and.include({ name: 'TypeError', message: 'no such table', code: '42P01', position: 7 });
    expect(Object.keys(rebuilt)).to.deep.equal(['code', 'position', 'tags']);
  });

  it('is an error of toolkit again where it was one', () => {
    const rebuilt = again(new ToolkitError('NOT_FOUND', 'There is no row.', { row: 7, retryable: true }));
    expect(ToolkitError.is(rebuilt)).to.equal(true);
    expect(rebuilt).to.deep.include({ code: 'NOT_FOUND', message: 'There is no row.', details: { row: 7, retryable: true } });
  });

  it('stays what it says where its code is none of toolkit', () => {
    const rebuilt = restoreThrown({ name: 'ToolkitError', message: 'x', code: 'NO_CODE' });
    expect(ToolkitError.is(rebuilt)).to.equal(false);
    expect(rebuilt).to.include({ name: 'ToolkitError', code: 'NO_CODE' });
  });

  it('is an error with the text of what was thrown', () => {
    expect(again('just a text')).to.be.instanceOf(Error).and.include({ message: 'just a text' });
  });

  it('changes no prototype', () => {
    const rebuilt = restoreThrown(JSON.parse('{"name":"Error","message":"x","__proto__":{"polluted":true}}'));
    expect(Object.getPrototypeOf(rebuilt)).to.equal(Error.prototype);
  });
});
