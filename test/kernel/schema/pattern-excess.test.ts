import { expect } from 'chai';
import { checkSchema } from '../../../kernel/schema/check-schema.ts';
import { patternExcess, patternNesting } from '../../../kernel/schema/pattern-excess.ts';
import { coreGroup } from '../../support/core-group.ts';
import { rejection } from '../../support/rejection.ts';

const nested = (levels: number, open = '('): string => `${open.repeat(levels)}a${')'.repeat(levels)}`;

describe('the nesting of a pattern', () => {
  const cases = [
    { pattern: 'abc', nesting: 0 },
    { pattern: '(a)(b)(c)', nesting: 1 },
    { pattern: nested(40, '(?='), nesting: 40 },
    { pattern: '\\('.repeat(200), nesting: 0 },
    { pattern: '[(]'.repeat(200), nesting: 1 },
    { pattern: `[[]${nested(150)}`, nesting: 150 },
    { pattern: `[^]${nested(150)}`, nesting: 150 },
    { pattern: `[]${nested(150)}`, nesting: 150 },
    { pattern: `\\[${nested(150)}`, nesting: 150 },
    { pattern: '['.repeat(150), nesting: 150 },
    { pattern: `${')'.repeat(500)}${nested(150)}`, nesting: 150 },
  ];
  for (const { pattern, nesting } of cases)
    it(`is ${nesting} in ${pattern.slice(0, 12)} of ${pattern.length} characters`, () => {
      expect(patternNesting(pattern)).to.equal(nesting);
    });

  it('and its length have limits, which a refusal names with what was received', () => {
    expect(patternExcess(nested(100))).to.equal(undefined);
    expect(patternExcess(nested(101))).to.equal('with 101 groups inside each other, expected at most 100');
    expect(patternExcess('a'.repeat(10_001))).to.equal('of 10001 characters, expected at most 10000');
  });

  for (const schema of [
    { pattern: nested(101) },
    { patternProperties: { [nested(101)]: {} } },
    { propertyNames: { pattern: nested(101) } },
  ])
    it(`is found in a schema that somebody wrote, before it is compiled: ${Object.keys(schema)[0]}`, () => {
      const [issue, ...others] = checkSchema(schema);
      expect(others).to.deep.equal([]);
      expect(issue?.message).to.include('with 101 groups inside each other, expected at most 100');
    });
});

describe('a pattern of a caller', () => {
  // Without "npm test", the sources are compiled for child processes by whoever comes first.
  const deep = nested(101);
  const tools = [
    { group: 'text', tool: 'text_regex_match', parameters: { text: 'a', pattern: deep } },
    { group: 'text', tool: 'text_regex_replace', parameters: { text: 'a', pattern: deep, replacement: '' } },
    { group: 'text', tool: 'text_split', parameters: { text: 'a', separator: deep, regex: true } },
    { group: 'json', tool: 'json_validate', parameters: { data: 'a', schema: { pattern: deep } } },
    { group: 'json', tool: 'json_validate', parameters: { data: {}, schema: { patternProperties: { [deep]: {} } } } },
    { group: 'json', tool: 'json_validate', parameters: { data: {}, schema: { $defs: { a: { propertyNames: { pattern: deep } } } } } },
    { group: 'json', tool: 'json_query', parameters: { data: ['a'], query: `$[?match(@, '${deep}')]` } },
  ];
  for (const { group, tool, parameters } of tools)
    it(`is refused by ${tool} in ${Object.keys(parameters).at(-1)} ${JSON.stringify(parameters).slice(0, 48)}`, async () => {
      const toolkit = await coreGroup(group as 'text').coreToolkit();
      const error = await rejection(toolkit.execute(tool, parameters as never), 'INVALID_PARAMETERS');
      expect(error.message)
        .to.match(/10[1-3]/)
        .and.include('at most 100');
    });
});
