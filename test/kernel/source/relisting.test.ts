import { expect } from 'chai';
import { makeSource } from './make-source.ts';

const find = { name: 'find', description: 'Finds a thing.', execution: { type: 'made' } };

describe('a source that is listed again while it is being listed', () => {
  it('is up to date when either request ends: the first listing is aborted, and waits for the newer one', async () => {
    let description = 'at first';
    let listings = 0;
    let waits = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    const kernel = await makeSource({
      trust: 'all',
      async list({ sink, signal }) {
        listings++;
        sink.addTool({ ...find, description });
        if (listings !== 2) return;
        waits();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const described = (): string | undefined => kernel.registry.tools.get('made_find')?.description;
    const first = kernel.sources.relist('made').then(described);
    await waiting;
    description = 'since then';
    const second = kernel.sources.relist('made').then(described);
    expect(await Promise.all([first, second])).to.deep.equal(['since then', 'since then']);
  });
});
