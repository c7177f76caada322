import { expect } from 'chai';
import type { CallRequest } from '../../../../kernel/index.ts';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { catalogue, sharedCatalogue, type WrittenTool } from './catalogue.ts';

interface Page {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly provider: string; readonly risk: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

type Options = Omit<CallRequest, 'tool' | 'parameters'>;

async function list(toolkit: Toolkit, parameters: Readonly<Record<string, unknown>> = {}, options: Options = {}): Promise<Page> {
  return (await toolkit.execute('toolkit_list_tools', parameters, options)) as unknown as Page;
}

const shop: Readonly<Record<string, WrittenTool>> = {
  shop_list_orders: { description: 'Listet Bestellungen auf 📦.' },
  shop_delete_order: { risk: 'high' },
  shop_change_order: { risk: 'medium' },
  free_tool: { risk: 'high' },
};

const namesOf = ({ tools }: Page): string[] => tools.map(({ name }) => name);

const seven = Array.from({ length: 7 }, (_, index) => `shop_tool_${index}`);

describe('toolkit_list_tools', () => {
  const shared = sharedCatalogue(shop);
  const sharedSeven = sharedCatalogue(Object.fromEntries(seven.map((name) => [name, {}])));

  it('lists every tool once, in the order of the names, with description, provider and risk', async () => {
    const page = await list(shared.toolkit, { limit: 1000 });
    const expected = shared.toolkit
      .listTools()
      .map(({ name, description, risk, provider }) => ({ name, description, risk, provider: provider?.name ?? 'none' }));
    expect(page).to.deep.equal({ tools: expected, total: expected.length, next_cursor: null });
    expect(namesOf(page)).to.deep.equal([...new Set(namesOf(page))].sort());
    expect(page.tools.find(({ name }) => name === 'shop_list_orders')).to.deep.equal({
      name: 'shop_list_orders',
      description: 'Listet Bestellungen auf 📦.',
      provider: 'shop',
      risk: 'low',
    });
    expect(page.tools.find(({ name }) => name === 'toolkit_list_tools')).to.include({ provider: 'core' });
  });

  const filters = [
    { parameters: { provider: 'shop' }, names: ['shop_change_order', 'shop_delete_order', 'shop_list_orders'] },
    { parameters: { provider: 'shop', risk: 'high' }, names: ['shop_delete_order'] },
    { parameters: { provider: 'none' }, names: ['free_tool'] },
    { parameters: { provider: 'none', risk: 'low' }, names: [] },
    { parameters: { provider: 'nobody' }, names: [] },
  ];
  for (const { parameters, names } of filters) {
    it(`lists ${names.join(', ') || 'nothing'} for ${JSON.stringify(parameters)}`, async () => {
      const page = await list(shared.toolkit, parameters);
      expect({ names: namesOf(page), total: page.total, next_cursor: page.next_cursor }).to.deep.equal({
        names,
        total: names.length,
        next_cursor: null,
      });
    });
  }

  for (const limit of [1, 2, 3, 4, 7]) {
    it(`comes to the end of seven tools in pages of ${limit}`, async () => {
      const seen: string[][] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await list(sharedSeven.toolkit, { provider: 'shop', limit, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.total).to.equal(7);
        seen.push(namesOf(page));
        cursor = page.next_cursor;
      }
      expect(seen.flat()).to.deep.equal(seven);
      expect(seen).to.have.length(Math.ceil(7 / limit));
    });
  }

  it('goes on at the right place when the last tool of a page is gone', async () => {
    const first = await list(shared.toolkit, { provider: 'shop', limit: 2 });
    const second = await list(
      shared.toolkit,
      { provider: 'shop', limit: 2, cursor: first.next_cursor },
      { isVisible: ({ name }) => name !== 'shop_delete_order' },
    );
    expect({ names: namesOf(second), total: second.total }).to.deep.equal({ names: ['shop_list_orders'], total: 2 });
  });

  it('shows a caller only the tools that the caller may see', async () => {
    const isVisible: Options['isVisible'] = ({ name, risk }) =>
      name === 'toolkit_list_tools' || (name.startsWith('shop_') && risk !== 'high');
    const page = await list(shared.toolkit, {}, { isVisible });
    expect(namesOf(page)).to.deep.equal(['shop_change_order', 'shop_list_orders', 'toolkit_list_tools']);
    expect(page.total).to.equal(3);
  });

  it('gives 100 tools unless told otherwise', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `shop_tool_${index}`);
    const { toolkit } = await catalogue(Object.fromEntries(names.map((name) => [name, {}])));
    const page = await list(toolkit, { provider: 'shop' });
    expect(page.tools).to.have.length(100);
    expect(page.next_cursor).to.be.a('string');
  });

  for (const cursor of [
    '!!!',
    'shop_tool',
    'c2hvcF90b29s=',
    Buffer.from('a b').toString('base64url'),
    Buffer.from('ü').toString('base64url'),
  ]) {
    it(`refuses the cursor ${cursor}`, async () => {
      const error = await rejection(list(shared.toolkit, { cursor }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "cursor": expected the next_cursor of an earlier answer');
      expect(error.details.issues).to.have.nested.property('[0].path', 'cursor');
    });
  }

  const mistakes = [
    { parameters: { limit: 0 }, says: 'limit expected' },
    { parameters: { limit: 1001 }, says: 'limit expected' },
    { parameters: { risk: 'extreme' }, says: 'risk expected one of' },
    { parameters: { provider: '' }, says: 'provider expected' },
    { parameters: { providers: 'core' }, says: 'providers is not known here' },
  ];
  for (const { parameters, says } of mistakes) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      const error = await rejection(list(shared.toolkit, parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }
});
