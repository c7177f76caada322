import { expect } from 'chai';
import { find } from '../../../kernel/source/shelf.ts';
import { accept, changedTo, chosen, pageOf } from './changed-shelf.ts';

describe('the sources on the console, where much has changed', () => {
  it('show so many changes as a page takes, and the number of the others', async () => {
    const tools = Array.from({ length: 510 }, (_, index) => ({ name: `tool_${index}`, description: 'A tool.' }));
    const world = await changedTo({ tools: [find, ...tools] });
    const { changes, more } = await pageOf(world);
    expect([changes.length, more]).to.deep.equal([500, 10]);
    const rest = await accept(world, { changes: changes.map(chosen) });
    expect([rest.changes.length, rest.more]).to.deep.equal([10, undefined]);
  });

  it('show changes until their differences are too long for a page', async () => {
    const tools = Array.from({ length: 4 }, (_, index) => ({ name: `tool_${index}`, description: 'word '.repeat(150_000) }));
    const { changes, more } = await pageOf(await changedTo({ tools: [find, ...tools] }));
    expect([changes.length, more]).to.deep.equal([2, 2]);
  });
});
