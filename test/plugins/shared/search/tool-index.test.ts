import { expect } from 'chai';
import type { Tool } from '../../../../kernel/index.ts';
import { indexOf } from '../../../../plugins/shared/search/tool-index.ts';
import { turnsUntil } from '../../../support/slow-clock.ts';

interface Written {
  readonly description?: string;
  readonly intents?: readonly string[];
  readonly tags?: readonly string[];
}

function toolOf(name: string, { description = '', ...definition }: Written): Tool {
  return { name, description, definition, parameters: {} } as unknown as Tool;
}

function toolsOf(count: number, written: Written): Tool[] {
  return Array.from({ length: count }, (_, n) => toolOf(`shop_tool_${n}`, written));
}

async function foundIn(tools: readonly Tool[], query: string, limit = 10): Promise<readonly (string | undefined)[]> {
  const index = await indexOf(tools);
  return (await index.search({ query, limit })).map(({ id }) => tools[id]?.name);
}

describe('an index over many tools', () => {
  it('is built in slices of some thousand characters, between which others get their turn', async () => {
    await indexOf(toolsOf(1, { description: 'loads the library' }));
    const description = 'word '.repeat(100);
    const { turns } = await turnsUntil(() => indexOf(toolsOf(1000, { description })));
    expect(turns).to.be.at.least((1000 * description.length) / 9_000);
  });

  it('lets others get their turn between the terms of a query that stand in many tools', async () => {
    const words = Array.from({ length: 20 }, (_, n) => `word${String.fromCharCode(97 + n)}`).join(' ');
    const index = await indexOf(toolsOf(10_000, { tags: [words] }));
    const { turns } = await turnsUntil(() => index.search({ query: words, limit: 10 }));
    expect(turns).to.be.at.least(2);
  });

  it('takes the beginning of a very long description', async () => {
    const tools = [toolOf('shop_tool', { description: `${'word '.repeat(10_000)} zebra` })];
    expect(await foundIn(tools, 'word')).to.have.length(1);
    expect(await foundIn(tools, 'zebra')).to.deep.equal([]);
  });

  it('keeps no more tools than asked for, which are the first of all that fit', async () => {
    const tools = Array.from({ length: 50 }, (_, n) => toolOf(`tool_${n}`, { description: 'gadget '.repeat((n * 7) % 50) }));
    const all = await foundIn(tools, 'gadget', 100);
    expect(all).to.have.length(49);
    expect(await foundIn(tools, 'gadget', 5)).to.deep.equal(all.slice(0, 5));
  });

  it('leaves out tools that are not wanted before it counts', async () => {
    const tools = toolsOf(6, { description: 'gadget' });
    const index = await indexOf(tools);
    const found = await index.search({ query: 'gadget', limit: 2, filter: (id) => id % 2 === 1 });
    expect(found.map(({ id }) => id)).to.deep.equal([1, 3]);
  });

  it('puts equal tools in the order of their names, wherever they stand', async () => {
    const written = { description: 'Counts gadgets.' };
    const tools = ['zebra', 'ape', 'mole'].map((animal) => toolOf(animal, written));
    expect(await foundIn(tools, 'count gadgets')).to.deep.equal(['ape', 'mole', 'zebra']);
    expect(await foundIn(tools.toReversed(), 'count gadgets')).to.deep.equal(['ape', 'mole', 'zebra']);
  });
});

describe('the intents of a tool', () => {
  const tools = [
    toolOf('shop_create_order', { description: 'Creates an order.', intents: ['somebody buys chairs', 'put in a purchase'] }),
    toolOf('shop_delete_order', {
      description: 'Deletes an order.',
      intents: ['get rid of a purchase', 'scrap what was bought by mistake'],
    }),
    toolOf('shop_count_orders', {
      description: 'Counts orders.',
      intents: ['how many purchases are there', 'volume of delivered purchases'],
    }),
    toolOf('shop_list_orders', { description: 'Lists orders.', intents: ['which purchases are there', 'what did people buy'] }),
  ];

  const cases = [
    { what: 'a word that nothing else of it has', query: 'scrap it', first: 'shop_delete_order' },
    { what: 'another form of a word', query: 'scrapping', first: 'shop_delete_order' },
    { what: 'two small words together', query: 'how many purchases do we have', first: 'shop_count_orders' },
    { what: 'the other small words', query: 'get rid of the purchase', first: 'shop_delete_order' },
    { what: 'a word with the same root', query: 'delivery of purchases', first: 'shop_count_orders' },
    { what: 'a misspelled word', query: 'we need more chirs', first: 'shop_create_order' },
    { what: 'a word of which two letters are swapped', query: 'we need more chiars', first: 'shop_create_order' },
  ];
  for (const { what, query, first } of cases) {
    it(`find it by ${what}`, async () => {
      expect((await foundIn(tools, query))[0]).to.equal(first);
    });
  }

  it('find nothing by pieces of words alone', async () => {
    expect(await foundIn(tools, 'orderly buyout deliverer')).to.deep.equal([]);
  });

  it('do not hide a tool that has none', async () => {
    const bare = toolOf('shop_print_invoice', { description: 'Prints an invoice.' });
    expect((await foundIn([...tools, bare], 'print the invoice of a purchase'))[0]).to.equal('shop_print_invoice');
  });
});
