import { expect } from 'chai';
import type { Parameter } from '../../kernel/index.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const { tools, companions, skills, providers } = toolkit.kernel.registry;
await toolkit.close();
const prefixes = new Set([...tools.keys()].map((name) => name.split('_')[0]));
const parameters = new Set([...tools.values()].flatMap((tool) => namesIn(tool.parameters)));

/** Also of members of objects, such as the properties of a record. */
function namesIn(declared: Readonly<Record<string, Parameter>>): readonly string[] {
  return Object.entries(declared).flatMap(([name, { properties = {} }]) => [name, ...namesIn(properties)]);
}

describe('every shipped skill', () => {
  it('is there for the core tools and for each provider', () => {
    expect([...skills.keys()]).to.have.members([...providers.keys()]);
  });

  for (const { name, text, license, metadata } of skills.values()) {
    it(`${name} names only tools that exist, and every tool of its provider`, () => {
      // Columns of databases are no tools.
      const prose = text.replaceAll(/`[^`\n]*\bSELECT\b[^`\n]*`/g, '');
      const named: readonly string[] = prose.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? [];
      const strangers = named.filter(
        (word) => prefixes.has(word.split('_')[0]) && !tools.has(word) && !companions.has(word) && !parameters.has(word),
      );
      expect(strangers).to.deep.equal([]);
      const own = [...tools.values()].filter(({ provider }) => provider?.name === name).map((tool) => tool.name);
      expect(own).to.have.length.greaterThan(0);
      expect(own.filter((tool) => !named.includes(tool))).to.deep.equal([]);
      expect({ license, metadata }).to.have.nested.property('metadata.version');
    });
  }
});
