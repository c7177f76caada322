import { expect } from 'chai';
import { type Parameter, ParameterSchema } from '../../../../kernel/definition/schema/parameter.ts';
import { checkValue } from '../../../../kernel/index.ts';

describe('the type of a parameter', () => {
  it('comes from its schema, which refuses the same values', () => {
    // @ts-expect-error: the schema has no such value of "path".
    const wrong: Parameter = { path: 'elsewhere' };
    const right: Parameter = { path: 'read', control_files: ['policy-rules'] };
    expect(checkValue(ParameterSchema, wrong)).to.have.length.greaterThan(0);
    expect(checkValue(ParameterSchema, right)).to.deep.equal([]);
  });
});
