import { expect } from 'chai';
import type { Tool } from '../../../../kernel/index.ts';
import { indexOf } from '../../../../plugins/shared/search/tool-index.ts';

function toolsOf(count: number, description: string): Tool[] {
  return Array.from(
    { length: count },
    (_, n) => ({ name: `shop_tool_${n}`, description, definition: {}, parameters: {} }) as unknown as Tool,
  );
}

/** How often others got their turn until this was done. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ turns: number; value: T }> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const value = await work;
  isDone = true;
  return { turns, value };
}

describe('an index over many tools', () => {
  it('is built in slices of some thousand characters, between which others get their turn', async () => {
    await indexOf(toolsOf(1, 'loads the library'));
    const { turns } = await turnsDuring(indexOf(toolsOf(1000, 'word '.repeat(100))));
    expect(turns).to.be.at.least((1000 * 500) / 21_000);
  });

  it('takes the beginning of a very long description', async () => {
    const [tool] = toolsOf(1, `${'word '.repeat(10_000)} zebra`);
    const index = await indexOf([tool as Tool]);
    expect(await index.search('word')).to.have.length(1);
    expect(await index.search('zebra')).to.deep.equal([]);
  });

  it('is searched word by word, each once, and for sixteen at most', async () => {
    const index = await indexOf([...toolsOf(5, 'first'), ...toolsOf(3, 'last')]);
    const { turns, value } = await turnsDuring(index.search('first last first LAST'));
    expect(value).to.have.length(8);
    expect(turns).to.be.within(1, 4);
    const many = Array.from({ length: 16 }, (_, n) => `word${n}`).join(' ');
    expect(await index.search(`${many} first`)).to.deep.equal([]);
  });

  it('adds the scores of the words of a query, times their number', async () => {
    const index = await indexOf(toolsOf(2, 'first last'));
    const [first, last, both] = await Promise.all(
      ['first', 'last', 'first last'].map(async (query) => (await index.search(query))[0]?.score ?? 0),
    );
    expect(both).to.be.closeTo(((first as number) + (last as number)) * 2, 1e-9);
  });
});
