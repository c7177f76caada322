import { expect } from 'chai';
import type { Shelf } from '../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import type { PendingChange } from '../../../kernel/index.ts';
import { find, type ShelfWorld, shelfWorld } from './shelf.ts';

const tool = { ...find, provider: 'shelf', input_schema: { type: 'object', properties: { to: { $ref: '#/$defs/Place' } } } };

/** A tool that reaches one of two shared schemas. */
const shelf = (type: string, other = 'string'): Shelf =>
  ({
    tools: [tool],
    providers: [
      {
        provider: { name: 'shelf', description: 'd' },
        base_url: 'https://a.example',
        $defs: { Place: { type }, Other: { type: other } },
      },
    ],
  }) as Shelf;

async function change({ kernel, write }: ShelfWorld, to: Shelf): Promise<readonly PendingChange[]> {
  await write(to);
  await kernel.reload();
  return kernel.sources.pending();
}

describe('a withheld change', () => {
  it('of a shared schema has its two forms, and only those that the tool reaches', async () => {
    const world = await shelfWorld({ shelf: shelf('string') });
    expect(await change(world, shelf('string', 'number'))).to.deep.equal([]);
    const [pending] = await change(world, shelf('number', 'boolean'));
    expect(pending?.schemas).to.deep.equal({ Place: { accepted: { type: 'string' }, listed: { type: 'number' } } });
    expect(pending?.accepted).to.deep.equal(pending?.definition);
  });

  it('has another digest when only a schema that the tool reaches is another one', async () => {
    const world = await shelfWorld({ shelf: shelf('string') });
    const [first] = await change(world, shelf('number'));
    const [second] = await change(world, shelf('boolean'));
    const [third] = await change(world, shelf('number'));
    expect(second?.definition).to.deep.equal(first?.definition);
    expect(second?.digest).to.not.equal(first?.digest);
    expect(third?.digest).to.equal(first?.digest);
  });

  it('of a new item has no accepted form', async () => {
    const world = await shelfWorld();
    const [pending] = await change(world, { tools: [find, { name: 'wipe', description: 'Wipes.' }] });
    expect(pending).to.not.have.any.keys('accepted', 'schemas');
  });
});
