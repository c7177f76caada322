import { expect } from 'chai';
import { after, before } from 'mocha';
import { eachProvider } from './each-provider.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { expected, shown } from './wire.ts';

await eachProvider((provider, { common, examples: fixtures }) => {
  describe(`@toolkit/${provider}: requests`, () => {
    let standIn: StandIn;
    before(async () => {
      standIn = await startStandIn(provider, common);
    });
    after(() => standIn.close());

    it('are known for every example of every tool, and each tool has at least two', () => {
      const examples = standIn.toolkit
        .listTools()
        .map(({ name, definition }) => [name, (definition.examples ?? []).map(({ description }) => description)] as const);
      const known = [...fixtures].map(([name, described]) => [name, described.map(({ example }) => example)] as const);
      expect(Object.fromEntries(known)).to.deep.equal(Object.fromEntries(examples));
      expect(examples.filter(([, described]) => described.length < 2)).to.deep.equal([]);
    });

    for (const [name, described] of fixtures) {
      for (const fixture of described) {
        it(`${name}, "${fixture.example}", sends ${fixture.sent.map(({ method, path }) => `${method} ${path}`).join(', then ')}`, async () => {
          const { toolkit } = standIn;
          const { examples = [] } = toolkit.kernel.registry.get(name).definition;
          const { parameters = {} } = examples.find(({ description }) => description === fixture.example) ?? {};
          const { result, requests } = await standIn.during(fixture.answers, () => toolkit.execute(name, parameters));
          expect(requests.map(shown)).to.deep.equal(fixture.sent.map((sent, index) => expected(sent, common, requests[index])));
          expect(result).to.deep.equal(Object.hasOwn(fixture, 'output') ? fixture.output : (fixture.answers.at(-1)?.body ?? null));
        });
      }
    }
  });
});
