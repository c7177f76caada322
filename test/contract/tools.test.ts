import { expect } from 'chai';
import { checkValue } from '../../kernel/index.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools();
await toolkit.close();
const names = new Set(tools.map(({ name }) => name));
/** Names of parameters, at any depth: `data_source_id` begins as the name of a tool does. */
const members = new Set(tools.flatMap(({ inputSchema }) => [...JSON.stringify(inputSchema).matchAll(/"(\w+)":/g)].map(([, name]) => name)));
const prefixes = new Set(tools.map(({ name }) => name.split('_')[0]));

describe('every shipped tool', () => {
  it('loads without an error or a warning', () => {
    expect(toolkit.kernel.registry.problems).to.deep.equal([]);
    expect(tools.length).to.be.greaterThan(17);
  });

  for (const { name, description, definition, parameters, inputSchema, outputSchema } of tools) {
    it(`${name} is described, constrained and has examples that fit`, () => {
      expect(description.length).to.be.greaterThan(40);
      for (const [parameter, { description: text }] of Object.entries(parameters))
        expect(text, parameter).to.be.a('string').and.not.equal('');
      expect(definition.risk).to.be.oneOf(['low', 'medium', 'high']);
      if (outputSchema?.['type'] !== 'null') expect(outputSchema).to.have.any.keys('properties', 'items', 'anyOf', 'oneOf', 'enum', '$ref');
      expect(definition.examples ?? []).to.have.length.greaterThan(0);
      for (const example of definition.examples ?? []) expect(checkValue(inputSchema, example.parameters)).to.deep.equal([]);
    });

    it(`${name} names only tools that exist`, () => {
      const named =
        [description, ...Object.values(parameters).map((parameter) => parameter.description ?? '')]
          .join(' ')
          .match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? [];
      const strangers = named.filter((word) => prefixes.has(word.split('_')[0]) && !names.has(word) && !members.has(word));
      expect(strangers).to.deep.equal([]);
    });
  }
});
