import { expect } from 'chai';
import type { CallRequest } from '../../../../kernel/index.ts';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { resolver } from '../../../kernel/secrets/chain-kernel.ts';
import { source } from '../../../plugins/mcp/support/client.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { echoTool } from '../../../support/test-kernel.ts';

interface Hit {
  readonly name: string;
  readonly needs?: readonly string[];
}

type Options = Omit<CallRequest, 'tool' | 'parameters'>;

const value = 'the-value-of-the-token';

/** Tools that sell apples, each with its secrets; the chain has APPLE_TOKEN. */
async function shop(answer?: () => unknown): Promise<Toolkit> {
  const secretsOf = { apples_free: [], apples_paid: ['APPLE_TOKEN'], apples_rare: ['APPLE_TOKEN', 'PEAR_TOKEN', 'PLUM_TOKEN'] };
  const tools = Object.entries(secretsOf).map(([name, secrets]) => echoTool({ name, description: 'Sells apples.', secrets }));
  const store = resolver({ APPLE_TOKEN: value }, answer === undefined ? {} : { answer });
  return coreToolkit({
    plugins: [store.plugin, source((sink) => tools.forEach((tool) => void sink.addTool(tool, { trust: 'operator' })))],
  });
}

async function needs(toolkit: Toolkit, options: Options = {}): Promise<Record<string, readonly string[] | undefined>> {
  const { tools } = (await toolkit.execute('toolkit_search_tools', { query: 'sells apples', provider: 'none' }, options)) as {
    tools: unknown;
  } as { tools: readonly Hit[] };
  return Object.fromEntries(tools.map((hit) => [hit.name, hit.needs]));
}

describe('what a tool still needs', () => {
  it('stands in the hits of a search, by name, where something is missing', async () => {
    const toolkit = await shop();
    const found = await needs(toolkit);
    expect(found).to.deep.equal({ apples_free: undefined, apples_paid: undefined, apples_rare: ['PEAR_TOKEN', 'PLUM_TOKEN'] });
    expect(JSON.stringify(found)).to.not.include(value);
  });

  it('stands in the hits of several searches at once', async () => {
    const answer = await (await shop()).execute('toolkit_search_tools', { queries: ['sells apples', 'apples_rare'], provider: 'none' });
    const { results } = answer as unknown as { results: readonly { tools: readonly Hit[] }[] };
    expect(results.map(({ tools }) => tools.filter((hit) => hit.needs !== undefined).map(({ name }) => name))).to.deep.equal([
      ['apples_rare'],
      ['apples_rare'],
    ]);
  });

  const described = [
    { name: 'apples_free', lacks: [] },
    { name: 'apples_paid', lacks: [] },
    { name: 'apples_rare', lacks: ['PEAR_TOKEN', 'PLUM_TOKEN'] },
  ];
  for (const { name, lacks } of described)
    it(`is ${lacks.join(' and ') || 'nothing'} in the description of ${name}`, async () => {
      expect(await (await shop()).execute('toolkit_get_tool', { name })).to.deep.include({ needs: lacks });
    });

  it('is not made up while the store cannot be asked', async () => {
    const toolkit = await shop(() => Promise.reject(new Error('no connection')));
    expect(await needs(toolkit)).to.deep.equal({ apples_free: undefined, apples_paid: undefined, apples_rare: undefined });
    expect(await toolkit.execute('toolkit_get_tool', { name: 'apples_rare' })).to.deep.include({ needs: [] });
  });

  it('is told of nothing that the caller may not see', async () => {
    const isVisible: Options['isVisible'] = ({ name }) => name !== 'apples_rare';
    const toolkit = await shop();
    expect(await needs(toolkit, { isVisible })).to.have.all.keys('apples_free', 'apples_paid');
  });

  it('is not told where a host lists only what needs nothing; by name it is', async () => {
    const isListed: Options['isListed'] = ({ name }) => name !== 'apples_rare';
    const toolkit = await shop();
    expect(await needs(toolkit, { isListed })).to.have.all.keys('apples_free', 'apples_paid');
    const { tools } = (await toolkit.execute('toolkit_list_tools', { provider: 'none' }, { isListed })) as unknown as { tools: Hit[] };
    expect(tools.map(({ name }) => name)).to.deep.equal(['apples_free', 'apples_paid']);
    const shown = await toolkit.execute('toolkit_get_tool', { name: 'apples_rare' }, { isListed });
    expect(shown).to.deep.include({ needs: ['PEAR_TOKEN', 'PLUM_TOKEN'] });
    const through = { name: 'toolkit_search_tools', arguments: { query: 'sells apples', provider: 'none' } };
    const { output } = (await toolkit.execute('toolkit_call_tool', through, { isListed })) as { output: unknown };
    expect(JSON.stringify(output)).to.include('apples_paid').and.not.include('apples_rare');
  });
});
