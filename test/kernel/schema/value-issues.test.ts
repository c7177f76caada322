import { expect } from 'chai';
import { checkValue } from '../../../kernel/index.ts';

describe('the issue of a text that misses a pattern', () => {
  const pattern = `^(${'[0-9a-f]{8}'.repeat(20)})$`;
  const rows: readonly (readonly [string, object, string])[] = [
    ['its own words', { pattern_description: 'an id such as 0a', examples: ['1b'] }, 'expected an id such as 0a'],
    ['an example', { examples: ['0a1b'], description: 'An id.' }, 'expected a text of the form of "0a1b"'],
    ['its description', { description: 'An id.' }, 'expected another text, by the description "An id."'],
  ];
  for (const [what, more, says] of rows)
    it(`says what is wanted by ${what}, and no pattern`, () => {
      const schema = { type: 'object', properties: { at: { type: 'string', pattern, ...more } } };
      expect(checkValue(schema, { at: 'x' }).map(({ message }) => message)).to.deep.equal([`${says}, received string "x"`]);
    });

  for (const [what, at] of [
    ['a list', { type: 'array', items: { pattern, examples: ['0a'] } }],
    ['a combination', { allOf: [{ pattern }], examples: ['0a'] }],
    ['a definition', { $ref: '#/$defs/id' }],
  ] as const)
    it(`says it also in ${what}`, () => {
      const schema = { properties: { at }, $defs: { id: { type: 'string', pattern, examples: ['0a'] } } };
      const [issue] = checkValue(schema, { at: what === 'a list' ? ['x'] : 'x' });
      expect(issue?.message).to.equal('expected a text of the form of "0a", received string "x"');
    });

  it('shows a short form of the pattern where nothing else is known', () => {
    const [issue] = checkValue({ pattern }, 'x');
    expect(issue?.message)
      .to.have.length.below(120)
      .and.to.match(/^expected to match pattern "\^\(\[0-9a-f\]/);
  });
});

describe('the issue of a name that is mistaken for another', () => {
  const schema = {
    type: 'object',
    properties: { arguments: { type: 'array', mistaken_names: ['args', 'argv'], description: 'One for each.' }, arg: {} },
    additionalProperties: false,
  };
  for (const name of ['args', 'argv'])
    it(`says of ${name} what to give`, () => {
      const [issue] = checkValue(schema, { [name]: [] });
      expect(issue).to.deep.include({
        path: name,
        message: 'is not known here: give "arguments" in its place. Its description: "One for each."',
        resembles: ['arguments'],
      });
    });
});
