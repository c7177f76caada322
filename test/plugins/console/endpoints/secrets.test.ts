import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { secretsEndpoints } from '../../../../plugins/console/endpoints/secrets.ts';
import type { SecretRow } from '../../../../plugins/console/wire/state.ts';
import { resolver } from '../../../kernel/secrets/chain-kernel.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { acme } from '../../accounts/account-site.ts';
import { askEndpoint } from './ask-endpoint.ts';

const rowsOf = (kernel: Kernel): Promise<readonly SecretRow[]> => askEndpoint(secretsEndpoints, 'GET secrets', kernel);

const using = (name: string, ...secrets: readonly string[]): unknown => echoTool({ name, secrets });

describe('the secrets on the console', () => {
  it('have the name, the plugin that provided the value, its age and its tools, and never the value', async () => {
    let now = 1_000_000;
    const kernel = await testKernel({
      plugins: [resolver({ A_TOKEN: 'the-value-of-a' }).plugin],
      tools: [using('one', 'A_TOKEN'), using('other', 'A_TOKEN', 'B_TOKEN')],
      now: () => now,
    });
    await kernel.resolveSecrets();
    now += 5000;
    const rows = await rowsOf(kernel);
    expect(rows).to.deep.equal([
      { name: 'A_TOKEN', resolver: 'store', since: 1_000_000, tools: ['one', 'other'] },
      { name: 'B_TOKEN', tools: ['other'] },
    ]);
  });

  it('are looked up where no call has needed them yet', async () => {
    const kernel = await testKernel({ plugins: [resolver({ A_TOKEN: 'the-value-of-a' }).plugin], tools: [using('one', 'A_TOKEN')] });
    expect((await rowsOf(kernel))[0]).to.include({ name: 'A_TOKEN', resolver: 'store' });
  });

  it('are those that a provider names as well', async () => {
    const kernel = await testKernel({ providers: [acme('https://acme.example')], tools: [] });
    expect((await rowsOf(kernel)).map(({ name, tools }) => [name, tools])).to.deep.equal([
      ['ACME_CLIENT_ID', []],
      ['ACME_CLIENT_SECRET', []],
    ]);
  });

  it('are shown with ten of their tools', async () => {
    const tools = Array.from({ length: 12 }, (_, index) => using(`tool_${index}`, 'A_TOKEN'));
    const [row] = await rowsOf(await testKernel({ tools }));
    expect(row?.tools).to.have.length(10);
  });

  it('are shown without what could not be looked up when a resolver fails', async () => {
    const failing = resolver({}, { answer: () => Promise.reject(new Error('the store is away')) });
    const kernel = await testKernel({ plugins: [failing.plugin], tools: [using('one', 'A_TOKEN')] });
    expect(await rowsOf(kernel)).to.deep.equal([{ name: 'A_TOKEN', tools: ['one'] }]);
  });
});
