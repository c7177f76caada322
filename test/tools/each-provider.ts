import type { ErrorFixture, ProviderFixture, ReadmeFixture } from './fixture-shapes.ts';
import {
  type ExampleFixture,
  errorFixtures,
  exampleFixtures,
  fixtureProviders,
  providerFixture,
  readmeFixture,
} from './request-fixtures.ts';

export interface ProviderFixtures {
  readonly common: ProviderFixture;
  readonly examples: ReadonlyMap<string, readonly ExampleFixture[]>;
  readonly readme: ReadmeFixture;
  readonly failures: readonly ErrorFixture[];
}

/** Makes tests of every provider with its data. Data that cannot be read fail a test, because mocha hides what a file throws while it loads. */
export async function eachProvider(describeOne: (provider: string, fixtures: ProviderFixtures) => void): Promise<void> {
  for (const provider of await fixtureProviders()) {
    try {
      const common = await providerFixture(provider);
      const examples = await exampleFixtures(provider);
      describeOne(provider, { common, examples, readme: await readmeFixture(provider), failures: await errorFixtures(provider) });
    } catch (error) {
      it(`@toolkit/${provider} has request fixtures that can be read`, () => {
        throw error;
      });
    }
  }
}
