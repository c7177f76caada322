import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { CallRequest } from '../../../../kernel/index.ts';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { catalogue, sharedCatalogue, toolFile, type WrittenTool } from './catalogue.ts';

interface Found {
  readonly name: string;
  readonly description: string;
  readonly score: number;
}

type Options = Omit<CallRequest, 'tool' | 'parameters'>;

async function search(
  toolkit: Toolkit,
  query: string,
  more: Readonly<Record<string, unknown>> = {},
  options: Options = {},
): Promise<readonly Found[]> {
  return ((await toolkit.execute('toolkit_search_tools', { query, ...more }, options)) as unknown as { tools: Found[] }).tools;
}

const namesOf = (found: readonly Found[]): string[] => found.map(({ name }) => name);

const shop: Readonly<Record<string, WrittenTool>> = {
  shop_list_orders: {
    description: 'Gives the orders of a customer.',
    parameters: { zipcode: { type: 'string', description: 'Where the parcel goes.' } },
  },
  shop_print_invoice: { description: 'Makes a document for an order.', tags: ['bookkeeping'] },
  shop_sendReminder: { description: 'Writes a letter about money.' },
  shop_weather: { description: 'Sagt, ob es in Köln regnet: 天気 予報.' },
  free_tool: { description: 'Counts sheep.' },
};

describe('toolkit_search_tools', () => {
  const shared = sharedCatalogue(shop);

  const queries = [
    { what: 'a word of the name', query: 'invoice', first: 'shop_print_invoice' },
    { what: 'a whole name', query: 'shop_list_orders', first: 'shop_list_orders' },
    { what: 'a word of the description', query: 'customer', first: 'shop_list_orders' },
    { what: 'the name of a parameter', query: 'zipcode', first: 'shop_list_orders' },
    { what: 'a word of the description of a parameter', query: 'parcel', first: 'shop_list_orders' },
    { what: 'a tag', query: 'bookkeeping', first: 'shop_print_invoice' },
    { what: 'the beginning of a word', query: 'bookk', first: 'shop_print_invoice' },
    { what: 'a word with a typing mistake', query: 'invoyce', first: 'shop_print_invoice' },
    { what: 'a word in capitals', query: 'INVOICE', first: 'shop_print_invoice' },
    { what: 'a part of a name in camel case', query: 'reminder', first: 'shop_sendReminder' },
    { what: 'words outside of ASCII', query: 'köln', first: 'shop_weather' },
    { what: 'words in another script', query: '天気', first: 'shop_weather' },
    { what: 'a question in whole words', query: 'how do I get the orders of one of my customers?', first: 'shop_list_orders' },
  ];
  for (const { what, query, first } of queries) {
    it(`finds a tool by ${what}`, async () => {
      expect(namesOf(await search(shared.toolkit, query))[0]).to.equal(first);
    });
  }

  it('gives the best first, with name, description and a falling score', async () => {
    const found = await search(shared.toolkit, 'order', { provider: 'shop' });
    expect(namesOf(found)).to.deep.equal(['shop_list_orders', 'shop_print_invoice']);
    expect(found[0]?.description).to.equal('Gives the orders of a customer.');
    const scores = found.map(({ score }) => score);
    expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0)).to.equal(true);
  });

  for (const query of ['xyzzyx', '   ', '?!', 'the of and', '😀']) {
    it(`finds nothing for "${query}"`, async () => {
      expect(await search(shared.toolkit, query)).to.deep.equal([]);
    });
  }

  it('gives as many as asked for, ten unless told otherwise', async () => {
    const tools = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`shop_gadget_${index}`, {}]));
    const { toolkit } = await catalogue(tools);
    expect(await search(toolkit, 'gadget')).to.have.length(10);
    expect(await search(toolkit, 'gadget', { limit: 3 })).to.have.length(3);
    expect(await search(toolkit, 'gadget', { limit: 100 })).to.have.length(30);
  });

  it('keeps to one provider', async () => {
    const { toolkit } = await catalogue({ ...shop, shop_search: { description: 'Searches for tools.' } });
    expect(namesOf(await search(toolkit, 'search tools', { provider: 'shop' }))).to.deep.equal(['shop_search']);
    expect(namesOf(await search(toolkit, 'sheep tools', { provider: 'none' }))).to.deep.equal(['free_tool']);
    expect(await search(toolkit, 'sheep', { provider: 'core' })).to.deep.equal([]);
  });

  describe('narrowed to one provider', () => {
    const choices: readonly (readonly [string, string, RegExp])[] = [
      ['a provider', 'shop', /^shop_/],
      ['the core', 'core', /^(fs|text|web|convert|json|toolkit|git)_/],
      ['a group of core', 'fs', /^fs_/],
      ['another group of core', 'toolkit', /^toolkit_/],
      ['a group of tools without a provider', 'free', /^free_/],
    ];
    for (const [what, provider, names] of choices)
      it(`finds tools of ${what}`, async () => {
        const found = namesOf(await search(shared.toolkit, 'read a file, list the orders, count sheep, find tools', { provider }));
        expect(found).to.have.length.above(0);
        for (const name of found) expect(name).to.match(names);
      });

    for (const tool of ['toolkit_search_tools', 'toolkit_list_tools'])
      it(`says which providers there are where there is none of that name: ${tool}`, async () => {
        const given = tool === 'toolkit_search_tools' ? { query: 'read a file' } : {};
        const answer = await shared.toolkit.execute(tool, { ...given, provider: 'files' });
        expect(answer).to.have.property('tools').that.deep.equals([]);
        expect((answer as { note?: string }).note).to.match(
          /^There is no provider and no group of tools "files"\. There are: core \d+ \(.*fs \d+.*shop/,
        );
      });
  });

  describe('how well the hits fit', () => {
    const noteOf = async (toolkit: Toolkit, query: string, more = {}): Promise<string | undefined> =>
      ((await toolkit.execute('toolkit_search_tools', { query, ...more })) as { note?: string }).note;

    it('is said where they cover too little of the question, also of one of several and with one hit', async () => {
      const query = 'what will the weather be tomorrow';
      expect(await noteOf(shared.toolkit, query)).to.equal(undefined);
      const { toolkit } = await catalogue({ shop_list_orders: {} });
      for (const more of [{}, { limit: 1 }])
        expect(await noteOf(toolkit, query, more)).to.match(/^Nothing fits well; these are the nearest/);
      const { results } = (await toolkit.execute('toolkit_search_tools', { queries: ['read a text file', query] })) as unknown as {
        results: readonly { note?: string }[];
      };
      expect(results.map(({ note }) => note?.slice(0, 17))).to.deep.equal([undefined, 'Nothing fits well']);
    });

    it('is not said where a tool covers what others do not, by its name, its tags or its description', async () => {
      const tools = {
        air_book_flight: { description: 'Books a seat.', tags: ['travel'] },
        house_switch: { description: 'Switches lamps in the kitchen.' },
      };
      const { toolkit } = await catalogue(tools);
      expect(await noteOf(toolkit, 'book a flight to Lisbon')).to.equal(undefined);
      expect(await noteOf(toolkit, 'switch the lamps in the kitchen off')).to.equal(undefined);
      expect(await noteOf(toolkit, 'order a pizza with mushrooms')).to.be.a('string');
    });

    it('is told of nothing found', async () => {
      expect(await noteOf(shared.toolkit, 'xyzzyx')).to.match(/^Nothing fits\. Ask with other words/);
    });
  });

  it('shows a caller only the tools that the caller may see', async () => {
    const isVisible: Options['isVisible'] = ({ name }) => name !== 'shop_list_orders';
    expect(namesOf(await search(shared.toolkit, 'order', { provider: 'shop' }, { isVisible }))).to.deep.equal(['shop_print_invoice']);
    expect(namesOf(await search(shared.toolkit, 'order', { provider: 'shop' }))).to.deep.equal(['shop_list_orders', 'shop_print_invoice']);
    expect(namesOf(await search(shared.toolkit, 'order', { provider: 'shop' }, { isVisible }))).to.deep.equal(['shop_print_invoice']);
  });

  it('scores for each caller as if there were no other tools', async () => {
    const all = shared.toolkit;
    const { shop_list_orders: _hidden, ...rest } = shop;
    const { toolkit: fewer } = await catalogue(rest);
    const isVisible: Options['isVisible'] = ({ name }) => name !== 'shop_list_orders';
    await search(all, 'order');
    expect(await search(all, 'order', {}, { isVisible })).to.deep.equal(await search(fewer, 'order'));
  });

  it('follows a reload', async () => {
    const { toolkit, folder } = await catalogue(shop);
    expect(await search(toolkit, 'umbrella')).to.deep.equal([]);
    await writeFile(path.join(folder, 'shop/shop_lend.yaml'), toolFile('shop_lend', { description: 'Lends an umbrella.' }));
    await rm(path.join(folder, 'shop/shop_print_invoice.yaml'));
    await toolkit.kernel.reload();
    expect(namesOf(await search(toolkit, 'umbrella'))).to.deep.equal(['shop_lend']);
    expect(await search(toolkit, 'bookkeeping')).to.deep.equal([]);
  });

  it('answers searches that come at the same time', async () => {
    const { toolkit } = await catalogue(shop);
    const queries = ['invoice', 'customer', 'zipcode', 'köln', 'sheep'];
    const found = await Promise.all(queries.map((query) => search(toolkit, query, { limit: 1 })));
    expect(found.flatMap(namesOf)).to.deep.equal([
      'shop_print_invoice',
      'shop_list_orders',
      'shop_list_orders',
      'shop_weather',
      'free_tool',
    ]);
  });

  const mistakes = [
    { parameters: {}, says: 'query is required' },
    { parameters: { query: '' }, says: 'query expected' },
    { parameters: { query: 'x'.repeat(501) }, says: 'query expected' },
    { parameters: { query: 'x', limit: 0 }, says: 'limit expected' },
    { parameters: { query: 'x', limit: 101 }, says: 'limit expected' },
  ];
  for (const { parameters, says } of mistakes) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}`, async () => {
      const error = await rejection(shared.toolkit.execute('toolkit_search_tools', parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }
});
