import { expect } from 'chai';
import type { FieldValue, ObjectField } from '../../../../../plugins/console/page/form/field.ts';
import { fieldsOf } from '../../../../../plugins/console/page/form/fields-of.ts';
import { initialValue, parametersToValues } from '../../../../../plugins/console/page/form/parameters-to-values.ts';
import { valuesToParameters } from '../../../../../plugins/console/page/form/values-to-parameters.ts';

/** Returns the form of one required member, and the result of its content. */
function submit(schema: unknown, content: FieldValue): { readonly sent: unknown; readonly issue: string | undefined } {
  const field = fieldsOf({ type: 'object', properties: { it: schema }, required: ['it'] });
  const value: FieldValue = { kind: 'object', members: new Map([['it', content]]), others: '' };
  const { parameters, issues } = valuesToParameters(field, value);
  return { sent: parameters['it'], issue: issues.get('/it') };
}

const text = (typed: string): FieldValue => ({ kind: 'text', text: typed });

describe('The parameters of a form', () => {
  const sent: readonly (readonly [string, unknown, FieldValue, unknown])[] = [
    ['a text', { type: 'string' }, text(' a '), ' a '],
    ['an empty text', { type: 'string' }, text(''), ''],
    ['an integer', { type: 'integer' }, text(' -12 '), -12],
    ['a number', { type: 'number' }, text('1.5e3'), 1500],
    ['a large integer as its digits', { type: 'integer', format: 'int64' }, text('9007199254740993'), '9007199254740993'],
    ['a small integer of 64 bits as a number', { type: 'integer', format: 'int64' }, text('5'), 5],
    ['false', { type: 'boolean' }, { kind: 'option', index: 1 }, false],
    ['null', { type: ['string', 'null'] }, { kind: 'null' }, null],
    ['a list', { type: 'array', items: { type: 'integer' } }, { kind: 'list', items: [text('1'), text('2')] }, [1, 2]],
    ['JSON', {}, { kind: 'json', text: '{"id": 9007199254740993}' }, { id: '9007199254740993' }],
    ['a date', { type: 'string', format: 'date' }, text('2028-02-29'), '2028-02-29'],
    ['a time', { type: 'string', format: 'date-time' }, text('2026-03-31T09:30:00+02:00'), '2026-03-31T09:30:00+02:00'],
    ['an address', { type: 'string', format: 'uri' }, text('https://example.com/a?b=1'), 'https://example.com/a?b=1'],
  ];
  for (const [name, schema, content, expected] of sent)
    it(`hold ${name}`, () => {
      expect(submit(schema, content)).to.deep.equal({ sent: expected, issue: undefined });
    });

  const refused: readonly (readonly [string, unknown, FieldValue, string])[] = [
    ['nothing', { type: 'string' }, { kind: 'unset' }, 'A value is required.'],
    ['a text that is too short', { type: 'string', minLength: 2 }, text('😀'), 'Expected at least 2 characters, received 1.'],
    ['a text that is too long', { type: 'string', maxLength: 1 }, text('ab'), 'Expected at most 1 character, received 2.'],
    ['a text beside a pattern', { type: 'string', pattern: '^[a-z]+$' }, text('A'), 'Expected a text that matches the pattern ^[a-z]+$.'],
    ['a text beside a described pattern', { type: 'string', pattern: '^a', pattern_description: 'an a' }, text('b'), 'Expected an a.'],
    ['a day that does not exist', { type: 'string', format: 'date' }, text('2026-02-29'), 'Expected a date such as 2026-03-31.'],
    [
      'a time without a zone',
      { type: 'string', format: 'date-time' },
      text('2026-03-31T09:30:00'),
      'Expected a date and time with its zone, such as 2026-03-31T09:30:00Z.',
    ],
    [
      'an address without a scheme',
      { type: 'string', format: 'uri' },
      text('example.com'),
      'Expected a whole address with its beginning, such as https:.',
    ],
    ['an address without an @', { type: 'string', format: 'email' }, text('ann'), 'Expected an address such as ann@example.com.'],
    ['a fraction for an integer', { type: 'integer' }, text('1.5'), 'Expected an integer such as 3.'],
    ['a word for a number', { type: 'number' }, text('many'), 'Expected a number such as 3 or 0.5.'],
    ['a number that is too small', { type: 'number', minimum: 1 }, text('0'), 'Expected at least 1.'],
    ['a number at an excluded limit', { type: 'number', exclusiveMaximum: 1 }, text('1'), 'Expected less than 1.'],
    ['a number that is no multiple', { type: 'number', multipleOf: 0.1 }, text('0.25'), 'Expected a multiple of 0.1.'],
    [
      'an integer that would be rounded',
      { type: 'integer' },
      text('9007199254740993'),
      'Expected an integer from −9007199254740991 to 9007199254740991: this tool would round a larger one.',
    ],
    ['digits beyond a limit', { type: 'integer', format: 'int64', maximum: 10 }, text('9007199254740993'), 'Expected at most 10.'],
    ['a number without an end', { type: 'number' }, text('1e999'), 'Expected a number of at most 1.7e308.'],
    ['too few items', { type: 'array', items: {}, minItems: 1 }, { kind: 'list', items: [] }, 'Expected at least 1 of them, received 0.'],
    [
      'an item twice',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      { kind: 'list', items: [text('a'), text('a')] },
      'Expected different ones, but "a" is there twice.',
    ],
    ['JSON of another type', { type: 'object' }, { kind: 'json', text: '[]' }, 'Expected JSON of the type object.'],
    [
      'JSON that fits no input',
      { type: 'string' },
      { kind: 'json', text: '5' },
      'Expected a text in quotation marks. Choose "use the field" to type it again.',
    ],
  ];
  for (const [name, schema, content, issue] of refused)
    it(`are refused with ${name}`, () => {
      expect(submit(schema, content).issue).to.equal(issue);
    });

  it('are refused with broken JSON in one part, which stays as it was typed', () => {
    const { sent: draft, issue } = submit({ type: 'object' }, { kind: 'json', text: '{"a": ' });
    expect(issue).to.match(/^This is no JSON yet/);
    expect(draft).to.equal('{"a": ');
  });

  it('do not run a pattern that could take long', () => {
    const pattern = { type: 'string', pattern: '^(a+)+$' };
    expect(submit(pattern, text(`${'a'.repeat(40)}b`)).issue).to.equal(undefined);
    expect(submit({ type: 'string', pattern: '^a*a*a*a*a*$' }, text(`${'a'.repeat(250)}b`)).issue).to.equal(undefined);
    expect(submit({ type: 'string', pattern: '(' }, text('a')).issue).to.equal(undefined);
  });

  it('leave out what is not set, and take further members from their own field', () => {
    const field = fieldsOf({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' } },
      additionalProperties: true,
    });
    const value: FieldValue = { kind: 'object', members: new Map([['a', text('1')]]), others: '{"c": 2}' };
    expect(valuesToParameters(field, value).parameters).to.deep.equal({ a: '1', c: 2 });
    const twice = valuesToParameters(field, { ...value, others: '{"a": 2}' });
    expect([...twice.issues]).to.deep.equal([['~', 'These have fields of their own: a.']]);
    expect(twice.parameters).to.deep.equal({ a: '1' });
  });

  it('name an issue by its path', () => {
    const field = fieldsOf({
      properties: { 'a/b': { type: 'array', items: { properties: { n: { type: 'integer' } }, required: ['n'] } } },
    });
    const { issues } = valuesToParameters(field, parametersToValues(field, { 'a/b': [{ n: 1 }, { n: 'x' }] }));
    expect([...issues]).to.deep.equal([['/a~1b/1/n', 'Expected an integer such as 3.']]);
  });

  it('begin with required parts and their defaults', () => {
    const properties = {
      a: { type: 'string', default: 'x' },
      b: { type: 'object', properties: { kind: { const: 'k' } }, required: ['kind'] },
      c: { type: 'string', default: 'y' },
      d: { type: 'array', items: { type: 'string' } },
    };
    const field = fieldsOf({ type: 'object', properties, required: ['a', 'b', 'd'] });
    expect(valuesToParameters(field, initialValue(field)).parameters).to.deep.equal({ a: 'x', b: { kind: 'k' }, d: [] });
  });

  const examples: readonly (readonly [string, unknown, unknown])[] = [
    ['further members', { properties: { a: { type: 'string' } } }, { a: 'b', c: { d: 1 } }],
    ['a value of another type', { properties: { a: { type: 'string' } } }, { a: 5 }],
    ['a value that no enum has', { properties: { a: { enum: ['x'] } } }, { a: 'y' }],
    ['null', { properties: { a: { type: ['string', 'null'] } } }, { a: null }],
    ['null where it is not allowed', { properties: { a: { type: 'string' } } }, { a: null }],
    ['an empty text', { properties: { a: { type: 'string' } } }, { a: '' }],
    [
      'the second branch',
      {
        oneOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'integer' } }, required: ['b'] },
        ],
      },
      { b: 2 },
    ],
    [
      'a list of choices',
      { properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'array', items: {} }] } } } },
      { a: [1, 'b', [3]] },
    ],
    ['a member named __proto__', { properties: {} }, JSON.parse('{"__proto__": {"a": 1}}')],
  ];
  for (const [name, schema, parameters] of examples)
    it(`come back unchanged with ${name}`, () => {
      const field = fieldsOf({ type: 'object', ...(schema as object) });
      const result = valuesToParameters(field, parametersToValues(field, parameters)).parameters;
      expect(JSON.stringify(result)).to.equal(JSON.stringify(parameters));
    });

  it('do not mistake inherited members for given ones', () => {
    const field = fieldsOf({ type: 'object', properties: { constructor: {}, toString: { type: 'string' } } }) as ObjectField;
    expect(valuesToParameters(field, parametersToValues(field, {})).parameters).to.deep.equal({});
  });
});
