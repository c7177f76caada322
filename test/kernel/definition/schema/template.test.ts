import { expect } from 'chai';
import { placeholdersIn, renderText, renderValue } from '../../../../kernel/index.ts';

const values: Readonly<Record<string, unknown>> = {
  name: 'Ada',
  count: 3,
  on: true,
  list: ['a', 'b'],
  object: { x: 1 },
  empty: '',
  zero: 0,
  no: false,
};
const lookup = (name: string): unknown => values[name];

describe('placeholders', () => {
  const rendered = [
    { template: '{name}', value: 'Ada' },
    { template: '{count}', value: 3 },
    { template: '{on}', value: true },
    { template: '{list}', value: ['a', 'b'] },
    { template: '{object}', value: { x: 1 } },
    { template: '{zero}', value: 0 },
    { template: '{no}', value: false },
    { template: '{empty}', value: '' },
    { template: 'n={count}', value: 'n=3' },
    { template: '{name} has {count}', value: 'Ada has 3' },
    { template: 'o={object}', value: 'o={"x":1}' },
    { template: '{missing}', value: undefined },
    { template: 'x{missing}', value: undefined },
    { template: '{{name}}', value: '{name}' },
    { template: '{"a":{"b":"{name}"}}', value: '{"a":{"b":"Ada"}}' },
    { template: 'query { user { id } }', value: 'query { user { id } }' },
    { template: '{not a name}', value: '{not a name}' },
    { template: 'plain', value: 'plain' },
    { template: '', value: '' },
    { template: { a: '{count}', b: '{missing}', c: ['{name}', '{missing}'] }, value: { a: 3, c: ['Ada'] } },
    { template: { 'k-{name}': 1, '{missing}': 2 }, value: { 'k-Ada': 1 } },
    { template: { deep: { deeper: '{missing}' } }, value: { deep: {} } },
    { template: 7, value: 7 },
    { template: null, value: null },
  ];
  for (const { template, value } of rendered) {
    it(`renders ${JSON.stringify(template)} as ${JSON.stringify(value)}`, () => expect(renderValue(template, lookup)).to.deep.equal(value));
  }

  it('does not fill in placeholders that a value contains', () => {
    expect(renderText('{a}', (name) => (name === 'a' ? '{name}' : 'leak'))).to.equal('{name}');
  });

  it('passes each value through the encoder, with its name', () => {
    expect(renderText('{name}/{count}', lookup, { encode: (text, name) => `${name}:${text}` })).to.equal('name:Ada/count:3');
  });

  it('are collected from every string once, keys included, escaped ones not', () => {
    const value = { url: 'https://{host}/{id}', headers: { '{h}': 'Bearer {TOKEN}' }, list: ['{id}', { x: '{y}' }], literal: '{{no}}' };
    expect(placeholdersIn(value)).to.deep.equal(['host', 'id', 'h', 'TOKEN', 'y']);
  });
});
