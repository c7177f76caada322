import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { ErrorsSchema, ExamplesSchema, ProviderSchema } from './fixture-shapes.ts';
import { parseFixture } from './request-fixtures.ts';

describe('data of request fixtures', () => {
  const wrong = [
    { what: 'a mistyped key', schema: ErrorsSchema, text: '- { tool: x_y, code: NOT_FOUND, say: no }', says: 'say is not known' },
    {
      what: 'a code that is none',
      schema: ErrorsSchema,
      text: '- { tool: x_y, code: NOT_THERE, says: no }',
      says: '[0].code expected one of',
    },
    {
      what: 'a mistyped key of an answer',
      schema: ErrorsSchema,
      text: '- { tool: x_y, code: NOT_FOUND, answer: { stauts: 404 } }',
      says: 'stauts',
    },
    { what: 'no expectation', schema: ErrorsSchema, text: '- { tool: x_y, answer: { status: 404 } }', says: '[0].code is required' },
    {
      what: 'an example without an answer',
      schema: ExamplesSchema,
      text: '- { example: x, sent: { method: GET, path: / } }',
      says: '[0].answer is required',
    },
    { what: 'a header that is no text', schema: ProviderSchema, text: '{ env: {}, headers: { x: 1 } }', says: 'headers.x expected string' },
  ];
  for (const { what, schema, text, says } of wrong) {
    it(`are refused with ${what}, and the file is named`, () => {
      const read = () => parseFixture<TSchema>('fixtures/requests/x/errors.yaml', text, schema);
      expect(read)
        .to.throw(says)
        .with.property('message')
        .that.matches(/^fixtures\/requests\/x\/errors\.yaml is not as /);
    });
  }

  it('may say how often a text or an entry is repeated', () => {
    const [failure] = parseFixture(
      'x.yaml',
      '- { tool: x_y, code: NOT_FOUND, parameters: { a: !times [3, x], b: !times [2, {}] } }',
      ErrorsSchema,
    );
    expect(failure?.parameters).to.deep.equal({ a: 'xxx', b: [{}, {}] });
  });
});
