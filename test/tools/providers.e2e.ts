/** Tests of every provider package; a new one is covered by its data in `fixtures/requests/<provider>/`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { errorCodes, type ToolkitError } from '../../kernel/index.ts';
import type { Toolkit } from '../../plugins/toolkit/index.ts';
import { coreToolkit } from '../support/core-toolkit.ts';
import { rejection } from '../support/rejection.ts';
import { eachProvider } from './each-provider.ts';
import type { ErrorFixture, ProviderFixture } from './fixture-shapes.ts';
import { packFolder, packNames } from './packs.ts';
import { runReadmeExample } from './readme-example.ts';
import { fixtureProviders } from './request-fixtures.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { expected, shown } from './wire.ts';

describe('request fixtures', () => {
  it('are there for every provider package that calls a service over HTTP, and for no other', async () => {
    const folders = (await packNames()).map(packFolder);
    const toolkit = await coreToolkit({ autoDiscover: false, includeCore: false, toolPaths: folders });
    const overHttp = toolkit.listTools().filter(({ definition }) => definition.execution.type === 'http');
    expect(await fixtureProviders()).to.have.members([...new Set(overHttp.map(({ provider }) => provider?.name))]);
  });
});

await eachProvider((provider, { common, examples, readme, failures }) => {
  describe(`@toolkit/${provider}: README`, () => {
    let standIn: StandIn;
    before(async () => {
      standIn = await startStandIn(provider, common);
    });
    after(() => standIn.close());

    it('names every tool with the scopes that it needs', async () => {
      const text = await readFile(path.join(packFolder(provider), 'README.md'), 'utf8');
      const rows = text.split('\n').filter((line) => line.startsWith('|'));
      for (const { name, definition } of standIn.toolkit.listTools()) {
        const cells = (rows.find((line) => line.includes(`\`${name}\``)) ?? '').split('|').map((cell) => cell.trim());
        expect(cells, name).to.have.length.greaterThan(1);
        for (const scope of definition.authentication?.required_scopes ?? [])
          expect(cells, name).to.satisfy(() => cells.some((cell) => cell === scope || cell.includes(`\`${scope}\``)));
      }
    });

    it('has an example that runs', async () => {
      const { result, requests } = await standIn.during(readme.answers, () => runReadmeExample(provider, standIn.toolkit));
      expect(requests.map(shown)).to.deep.equal(readme.sent.map((one, index) => expected(one, common, requests[index])));
      expect(result).to.deep.equal({ variables: readme.variables, asked: [{ autoDiscover: true }] });
    });
  });

  describe(`@toolkit/${provider}: errors`, () => {
    let standIn: StandIn;
    before(async () => {
      standIn = await startStandIn(provider, common);
    });
    after(() => standIn.close());

    /** Returns the Authorization header of the first example of a tool. */
    const authorizationOf = (tool: string): string | undefined =>
      examples.get(tool)?.[0]?.sent[0]?.headers?.['authorization'] ?? common.headers['authorization'];

    for (const failure of failures) {
      it(`${titleOf(failure)}, and show no secret`, async () => {
        const { tool, parameters = {}, answer, code } = failure;
        const answers = answer === undefined ? [] : [answer];
        const run = () => rejection(standIn.toolkit.execute(tool, parameters), code);
        const { result: error, requests, records } = await standIn.during(answers, run);
        expectTold(error, failure);
        expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal(answers.map(() => authorizationOf(tool)));
        const left = `${JSON.stringify([error, records])}${error.message}${error.stack}${String(error.cause)}`;
        for (const secret of secretsOf(standIn.toolkit, common)) expect(left).to.not.include(secret);
      });
    }
  });
});

function titleOf({ tool, when, answer, code, says = [], paths = [] }: ErrorFixture): string {
  const reason = when === undefined ? `because of ${[says, paths].flat().join(', ')}` : `when ${when}`;
  return `of ${tool} are ${code} ${reason}${answer === undefined ? ', before anything is sent' : ''}`;
}

/** The caller is told what the fixture says; and nothing else about when the same call may succeed. */
function expectTold(error: ToolkitError, { tool, answer, code, says = [], paths, details = {} }: ErrorFixture): void {
  for (const words of [says].flat()) expect(error.message).to.include(words);
  if (paths !== undefined) expect((error.details.issues ?? []).map(({ path }) => path)).to.have.members(paths);
  const status = (answer?.status ?? 200) < 300 ? {} : { status: answer?.status };
  expect(error.details).to.deep.include({ tool, ...status, ...details });
  expect(error.details.retryAfterMs).to.equal(details['retryAfterMs']);
  expect(error.retryable).to.equal(details['retryable'] ?? errorCodes[code].retryable);
}

/** The values of the environment that are secret, and what is sent of them. */
function secretsOf(toolkit: Toolkit, { env, headers }: ProviderFixture): readonly string[] {
  const secret = toolkit.listTools().flatMap(({ credentials }) => credentials.filter(({ isSecret }) => isSecret));
  const names = new Set(secret.map(({ name }) => name));
  const values = Object.entries(env).flatMap(([name, value]) => (names.has(name) ? [value] : []));
  return [...values, ...[headers['authorization'] ?? ''].map((sent) => sent.replace(/^\w+ /, ''))];
}
