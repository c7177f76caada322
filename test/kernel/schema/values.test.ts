import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { checkValue, didYouMean, nearest, ToolkitError, toJsonValue } from '../../../kernel/index.ts';

describe('toJsonValue', () => {
  const circular: Record<string, unknown> = { a: { b: [] } };
  (circular['a'] as { b: unknown[] }).b.push(circular);
  const shared = { x: 1 };

  const accepted = [
    { title: 'a nested value', value: { a: [1, 'b', null, true] }, json: { a: [1, 'b', null, true] } },
    { title: 'a date, as ISO text', value: { at: new Date(0) }, json: { at: '1970-01-01T00:00:00.000Z' } },
    { title: 'an undefined member, left out', value: { a: undefined, b: 1 }, json: { b: 1 } },
    { title: 'the same object twice', value: [shared, shared], json: [{ x: 1 }, { x: 1 }] },
  ];
  for (const { title, value, json } of accepted) it(`accepts ${title}`, () => expect(toJsonValue(value)).to.deep.equal(json));

  const refused = [
    { title: 'nothing', value: undefined, message: 'The output cannot be written as JSON: expected a JSON value, received nothing.' },
    {
      title: 'a bigint',
      value: { a: [1n] },
      message: 'The output at "a[0]" cannot be written as JSON: expected a JSON value, received bigint 1.',
    },
    { title: 'a function', value: { run() {} }, message: 'The output at "run"' },
    { title: 'NaN', value: Number.NaN, message: 'received the number NaN' },
    { title: 'a Map of another realm', value: { m: runInNewContext('new Map([[1, 2]])') }, message: 'The output at "m"' },
    { title: 'a Map behind a proxy', value: new Proxy(new Map(), {}), message: 'received a Map' },
    { title: 'an Error among many values', value: [...Array(5).fill({}), new Error('x')], message: 'The output at "[5]"' },
    {
      title: 'a circular reference',
      value: circular,
      message: 'The output at "a.b[0]" cannot be written as JSON: expected a JSON value, received a circular reference.',
    },
  ];
  for (const { title, value, message } of refused)
    it(`refuses ${title} and says where`, () => expect(() => toJsonValue(value)).to.throw(ToolkitError, message));
});

describe('checkValue', () => {
  const schema = {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1 },
      kind: { enum: ['a', 'b'] },
      mail: { type: 'string', format: 'email' },
      list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      fixed: { const: 7 },
    },
    required: ['count'],
    additionalProperties: false,
  };
  const cases = [
    { value: { count: 1 }, issues: [] },
    { value: {}, issues: ['count is required'] },
    { value: { count: 'x' }, issues: ['count expected integer, received string "x"'] },
    { value: { count: 1, kind: 'c' }, issues: ['kind expected one of "a", "b", received string "c"'] },
    { value: { count: 1, list: ['a', 2] }, issues: ['list[1] expected string, received number 2'] },
    { value: { count: 1, fixed: 8 }, issues: ['fixed expected 7, received number 8'] },
    { value: { count: 1, conut: 2 }, issues: ['conut is not known here. Did you mean "count"?'] },
    { value: { count: 1, 'a/b': 2 }, issues: ['a/b is not known here. Expected count, kind, mail, list, fixed.'] },
    {
      value: { count: 0, kind: 3 },
      issues: ['count expected to be >= 1, received number 0', 'kind expected one of "a", "b", received number 3'],
    },
    { value: { count: 1, mail: 'nobody' }, issues: ['mail expected to match format "email", received string "nobody"'] },
  ];
  for (const { value, issues } of cases) {
    it(`finds ${issues.length === 0 ? 'nothing' : issues.join(' and ')} in ${JSON.stringify(value)}`, () => {
      expect(checkValue(schema, value).map(({ path, message }) => `${path} ${message}`)).to.deep.equal(issues);
    });
  }

  it('reports more than eight findings at once', () => {
    const many = { type: 'array', items: { type: 'string' } };
    expect(
      checkValue(
        many,
        Array.from({ length: 20 }, (_, index) => index),
      ),
    ).to.have.length(20);
  });

  it('understands the keywords of 2020-12', () => {
    const modern = {
      $defs: { n: { type: 'number' } },
      prefixItems: [{ $ref: '#/$defs/n' }],
      items: false,
      dependentRequired: {},
      minItems: 1,
    };
    expect(checkValue(modern, [1])).to.deep.equal([]);
    expect(checkValue(modern, [1, 2])).to.have.length.greaterThan(0);
    expect(checkValue(modern, ['x'])).to.have.length.greaterThan(0);
  });
});

describe('nearest names', () => {
  const known = ['fs_read_file', 'fs_write_file', 'git_log', 'requires_approval'];
  const cases = [
    { name: 'fs_raed_file', found: ['fs_read_file', 'fs_write_file'] },
    { name: 'gitlog', found: ['git_log'] },
    { name: 'requiresApproval', found: ['requires_approval'] },
    { name: 'approval', found: ['requires_approval'] },
    { name: 'zzz', found: [] },
  ];
  for (const { name, found } of cases)
    it(`of "${name}" are ${found.join(', ') || 'none'}`, () => expect(nearest(name, known)).to.deep.equal(found));

  it('are written as a question', () => {
    expect(didYouMean('git_logs', known)).to.equal(' Did you mean "git_log"?');
    expect(didYouMean('qqqqqqq', known)).to.equal('');
  });
});
