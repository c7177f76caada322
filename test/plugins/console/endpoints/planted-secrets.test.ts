import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, revealSecret } from '../../../../kernel/index.ts';
import { accountsEndpoints } from '../../../../plugins/console/endpoints/accounts.ts';
import type { Endpoint } from '../../../../plugins/console/endpoints/endpoint.ts';
import { problemsEndpoints } from '../../../../plugins/console/endpoints/problems.ts';
import { secretsEndpoints } from '../../../../plugins/console/endpoints/secrets.ts';
import { sourcesEndpoints } from '../../../../plugins/console/endpoints/sources.ts';
import { stateEndpoints } from '../../../../plugins/console/endpoints/state.ts';
import type { SourcesPage } from '../../../../plugins/console/wire/sources.ts';
import { accountList } from '../../../../plugins/shared/oauth/account-list.ts';
import { makeSource } from '../../../kernel/source/make-source.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import { askEndpoint } from './ask-endpoint.ts';

const planted = 'planted-5ecret-Ab12Cd34Ef56';

/** At the cut of a long text: a half of it is a leak too. */
const cut = `${'x'.repeat(190)}${planted}`;

const fail = (message: string) => () => {
  throw new Error(message);
};

/** A plugin that puts a secret wherever a plugin can put a text. */
const careless = definePlugin({
  name: 'careless',
  apiVersion,
  checks: [
    { name: 'Careless', run: () => [{ check: 'Careless', state: 'problem', message: planted, details: [planted], hint: planted }] },
    { name: 'Failing', run: fail(cut) },
  ],
  apply({ extend, hooks }) {
    extend.status('careless', () => ({ [planted]: planted }));
    const gauge = { description: planted, unit: planted };
    extend.gauge({ ...gauge, name: 'labelled', read: () => [{ labels: { at: planted }, value: 1 }] });
    extend.gauge({ ...gauge, name: 'failing', read: fail(cut) });
    const account = { provider: 'acme', account: planted, caller: planted, tenant: planted, state: planted, scopes: [planted] };
    extend.fact(accountList, { how: planted, list: async () => [{ ...account, connectedAt: 0, login: planted }] });
    extend.withhold(() => [{ kind: 'tool', name: 'echo', how: planted, acceptedBy: planted }]);
    hooks.discover.tap('careless', (sink) => sink.addProblem({ severity: 'warning', code: 'TOOL_INVALID', message: planted }));
  },
});

/** A kernel that knows the secret, with a source that has listed it since. */
async function leakyKernel(): Promise<Kernel> {
  let description = 'Finds.';
  const source = {
    list: ({ sink }: { sink: { addTool(definition: unknown): void; addProblem(problem: object): void } }) => {
      sink.addTool({ name: 'find', description, execution: { type: 'made' } });
      sink.addProblem({ severity: 'warning', message: planted });
    },
  };
  const user = echoTool({ name: 'user', secrets: ['A_TOKEN'] });
  const kernel = await makeSource(source as never, { plugins: [careless()], tools: [echoTool(), user], secrets: { A_TOKEN: planted } });
  await kernel.resolveSecrets();
  const secret = kernel.secret('A_TOKEN');
  expect(secret === undefined ? undefined : revealSecret(secret)).to.equal(planted);
  description = `Finds with ${planted}.`;
  await kernel.sources.relist('made');
  return kernel;
}

const tables: readonly (readonly Endpoint[])[] = [sourcesEndpoints, stateEndpoints, accountsEndpoints, secretsEndpoints, problemsEndpoints];

describe('a secret is in no answer of the console', () => {
  for (const endpoints of tables)
    for (const { method, path } of endpoints.filter((endpoint) => endpoint.method === 'GET'))
      it(`to ${method} ${path}`, async () => {
        const answer = JSON.stringify(await askEndpoint(endpoints, `${method} ${path}`, await leakyKernel()));
        expect(answer).to.not.include(planted).and.not.include(planted.slice(0, 10));
        expect(answer).to.include(path === 'secrets' ? '"A_TOKEN"' : '[secret A_TOKEN]');
      });

  it('to POST sources/{name}/accept', async () => {
    const kernel = await leakyKernel();
    const [change] = (await askEndpoint<SourcesPage>(sourcesEndpoints, 'GET sources', kernel)).changes;
    const accept = (digest: string | undefined): Promise<unknown> =>
      askEndpoint(sourcesEndpoints, 'POST sources/{name}/accept', kernel, {
        values: { name: 'made' },
        body: { changes: [{ name: change?.name, digest }] },
      });
    const { message } = await rejection(accept('0'), 'APPROVAL_REQUIRED');
    const answer = JSON.stringify(await accept(change?.digest));
    for (const text of [message, answer]) expect(text).to.not.include(planted.slice(0, 10));
    expect(kernel.registry.tools.get('made_find')?.description).to.include(planted);
  });
});
