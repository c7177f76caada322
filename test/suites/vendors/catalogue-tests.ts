import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { catalogueFacts, definitionFacts } from './facts.ts';
import { catalogueProviderFacts, providerFacts } from './provider-facts.ts';
import type { Sources } from './sources.ts';

const counts = { slack: 16, github: 22, gmail: 5, notion: 7, postgres: 1, twilio: 4, hubspot: 50, mailchimp: 7 };

const cwd = fileURLToPath(new URL('../../..', import.meta.url));

/** The packs as installed, beside the core tools, against the catalogue. */
export function testCatalogue({ providers, described }: Sources): void {
  describe('the provider packs and the catalogue', () => {
    let toolkit: Toolkit;

    before(async () => {
      toolkit = await Toolkit.init({ cwd, autoDiscover: true, logger: memoryLogger() });
    });

    after(() => toolkit.close());

    it('load from node_modules without an error or a warning', () => {
      expect(toolkit.kernel.registry.problems).to.deep.equal([]);
    });

    for (const provider of providers) {
      const { name, tools } = provider;
      const count = (counts as Readonly<Record<string, number>>)[name];
      it(`@toolkit/${name} has the ${count} tools of the catalogue, a skill, and no others`, () => {
        const loaded = toolkit.listTools().filter((tool) => tool.provider?.name === name);
        expect(loaded.map((tool) => tool.name).sort()).to.deep.equal(tools.map((tool) => tool.name).sort());
        expect(loaded).to.have.lengthOf(count ?? 0);
        expect([...toolkit.kernel.registry.skills.keys()]).to.include(name);
      });

      it(`@toolkit/${name} has the address, the names and the OAuth2 facts of the catalogue`, () => {
        const found = toolkit.kernel.registry.providers.get(name);
        if (found === undefined) throw new Error(`There is no provider "${name}".`);
        expect(providerFacts(found)).to.deep.equal(catalogueProviderFacts(provider));
      });

      for (const tool of tools)
        it(`${tool.name} has the method, the path, the risk, the scopes and the parameters of the catalogue`, () => {
          const found = toolkit.kernel.registry.get(tool.name);
          expect(definitionFacts(found, tool)).to.deep.equal(catalogueFacts(tool, provider));
        });
    }

    for (const { name, returns = {} } of providers.flatMap(({ tools }) => tools).filter((tool) => tool.returns !== undefined))
      it(`${name} promises ${Object.keys(returns).join(', ')}`, () => {
        const { properties, required } = toolkit.kernel.registry.get(name).outputSchema ?? {};
        expect(properties).to.include.all.keys(Object.keys(returns));
        expect(required).to.include.members(Object.keys(returns));
      });

    it('name the method and the path of the description', () => {
      for (const { tool, operation } of described)
        expect([tool.name, tool.method, tool.path]).to.deep.equal([tool.name, operation.method, operation.path]);
    });
  });
}
