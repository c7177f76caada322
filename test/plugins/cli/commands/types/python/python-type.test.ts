import { expect } from 'chai';
import { docstring, PythonTypes, pascal } from '../../../../../../plugins/cli/commands/types/python/python-type.ts';

const types: readonly (readonly [schema: unknown, type: string])[] = [
  [{ type: 'string' }, 'str'],
  [{ type: ['integer', 'null'] }, 'int | None'],
  [{ type: 'number' }, 'float'],
  [{ type: 'boolean' }, 'bool'],
  [{ const: 'a' }, 'Literal["a"]'],
  [{ enum: ['a', 1, true, null] }, 'Literal["a", 1, True, None]'],
  [{ enum: [1.5, 2] }, 'float'],
  [{ enum: ['a', 1.5] }, 'Any'],
  [{ type: 'array' }, 'list[Any]'],
  [{ type: 'array', items: { type: 'string' } }, 'list[str]'],
  [{ type: 'object' }, 'dict[str, Any]'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'dict[str, int]'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'str | list[str]'],
  [{ anyOf: [{ type: 'string' }, {}] }, 'Any'],
  [{ allOf: [{ type: 'string' }] }, 'Any'],
  [{ $ref: '#/$defs/id' }, 'int'],
  [{ $ref: '#/$defs/loop' }, 'Any'],
  [{ $ref: 'https://example.com/schema' }, 'Any'],
  [{ type: 'object', properties: { a: {} }, additionalProperties: true }, 'dict[str, Any]'],
  [true, 'Any'],
];

const root = { $defs: { id: { type: 'integer' }, loop: { $ref: '#/$defs/loop' } } };

const make = (schema: unknown): { readonly type: string; readonly text: string } => {
  const made = new PythonTypes(new Set(['Taken']), root, 'input');
  return { type: made.typeOf(schema, 'Name'), text: made.classes.flatMap(({ lines }) => lines).join('\n') };
};

describe('the Python type of a schema', () => {
  for (const [schema, type] of types)
    it(`of ${JSON.stringify(schema)} is ${type}`, () => {
      expect(make(schema)).to.deep.equal({ type, text: '' });
    });

  it('is a class for an object, and one for each object in it', () => {
    const inner = { type: 'object', properties: { x: { type: 'integer' } }, additionalProperties: false };
    const { type, text } = make({ type: 'object', properties: { a: inner, b: { type: 'array', items: inner } }, required: ['a'] });
    expect(type).to.equal('Name');
    expect(text).to.equal(
      [
        'class NameA(TypedDict):',
        '    x: NotRequired[int]',
        'class NameBItem(TypedDict):',
        '    x: NotRequired[int]',
        'class Name(TypedDict):',
        '    a: NameA',
        '    b: NotRequired[list[NameBItem]]',
      ].join('\n'),
    );
  });

  for (const key of ['from', 'x-y', '__private', 'list'])
    it(`writes the class as a call where a member is called ${key}`, () => {
      expect(make({ type: 'object', properties: { [key]: { type: 'string' } } }).text).to.include(`"${key}": "NotRequired[str]",`);
    });

  it('lets no text of a definition leave its comment or docstring', () => {
    const { text } = make({ type: 'object', properties: { a: { description: 'one\nimport os\r\u000bimport sys\u0000' } } });
    expect(text).to.include('    # one import os import sys\n');
    expect(docstring('a """ \\')).to.deep.equal([`    """a ''' \\\\"""`]);
  });

  it('has names that are free', () => {
    expect(new PythonTypes(new Set(['Name']), {}, 'output').typeOf({ type: 'object', properties: { a: {} } }, 'Name')).to.equal('Name_');
    expect(pascal('shop_get-item')).to.equal('ShopGetItem');
  });
});
