import { expect } from 'chai';
import { errorTypeOf, ToolkitError } from '../../../kernel/index.ts';

describe('errorTypeOf', () => {
  const rows: readonly (readonly [what: string, error: unknown, type: string])[] = [
    ['the code of an error of ours', new ToolkitError('TIMEOUT', 'secret'), 'TIMEOUT'],
    ['the class of another', new TypeError('secret'), 'TypeError'],
    ['_OTHER for a name with more than letters', Object.assign(new Error('secret'), { name: 'token sk-12345' }), '_OTHER'],
    ['_OTHER for a text', 'secret', '_OTHER'],
    ['_OTHER for nothing', undefined, '_OTHER'],
  ];
  for (const [what, error, type] of rows) it(`returns ${what}`, () => expect(errorTypeOf(error)).to.equal(type));
});
