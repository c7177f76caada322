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

describe('the issue of a name that is not known', () => {
  const schema = {
    type: 'object',
    properties: { data: {}, data_path: {}, query: {}, start: {}, depth: { default: 3 }, max_entries: {}, text: {}, text_path: {} },
    required: ['query'],
    additionalProperties: false,
  };
  const list = 'Expected data, data_path, query, start, depth, max_entries, text, text_path.';
  const rows: readonly (readonly [string, object, string])[] = [
    ['asks for one that is spelled alike', { depht: 1 }, 'Did you mean "depth"?'],
    ['asks for one that shares its words', { start_line: 1 }, 'Did you mean "start"?'],
    ['knows words in capitals', { maxDepth: 1 }, 'Did you mean "depth"?'],
    ['asks for none of which only a lesser word is the same', { max_size: 1 }, list],
    ['asks for one of which only the default is there', { depth: 3, max_depth: 1 }, 'Did you mean "depth"?'],
    ['asks for one that is given where nothing is missing', { query: '', text: '', txt: '' }, 'Did you mean "text"?'],
    ['asks for none that is given where something is missing', { text: '', txt: '' }, list],
    ['asks for no path of a value that is given', { data: 1, path: '' }, 'Did you mean "text_path"?'],
    ['asks for no value of a path that is given', { data_path: '', date: 1 }, list],
  ];
  for (const [what, value, says] of rows)
    it(what, () => {
      const issues = checkValue(schema, value).map(({ message }) => message);
      expect(issues.filter((message) => message !== 'is required')).to.deep.equal([`is not known here. ${says}`]);
    });
});

describe('the issue of a value that fits no form of several', () => {
  const flagOrPort = { anyOf: [{ type: 'boolean' }, { type: 'object', properties: { port: { type: 'integer' } }, required: ['port'] }] };
  const flagOrWord = { anyOf: [{ type: 'boolean' }, { const: 'auto', type: 'string' }] };
  const rows: readonly (readonly [schema: object, value: unknown, says: string])[] = [
    [flagOrPort, 5, 'expected boolean or object, received number 5'],
    [flagOrPort, ['a'], 'expected boolean or object, received array of 1'],
    [flagOrPort, {}, 'is required'],
    [flagOrPort, { port: 'a' }, 'expected integer, received string "a"'],
    [flagOrWord, 'on', 'expected boolean or "auto", received string "on"'],
    [flagOrWord, 5, 'expected boolean or "auto", received number 5'],
    [
      { oneOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { const: 1 }] },
      true,
      'expected string or null or 1, received boolean true',
    ],
  ];
  for (const [schema, value, says] of rows)
    it(`names each form for ${JSON.stringify(value)}: ${says}`, () =>
      expect(checkValue(schema, value).map(({ message }) => message)).to.deep.equal([says]));
});
