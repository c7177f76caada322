import { expect } from 'chai';
import type { Shelf } from '../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import type { ToolkitError } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { person, yes } from '../../plugins/approval-gate/gated.ts';
import { rejection } from '../../support/rejection.ts';
import { makeSource } from './make-source.ts';
import { find, type ShelfWorld, shelfWorld } from './shelf.ts';

const before: Shelf = {
  tools: [{ ...find, risk: 'high', parameters: { q: { type: 'string', description: 'd' } }, provider: 'shelf' }],
  providers: [{ provider: { name: 'shelf', description: 'd' }, base_url: 'https://one.example' }],
};

const [tool] = before.tools as [Record<string, unknown>];

/** Changes of a tool: the new listing, and the members that must be named as changed. */
const changes: readonly { readonly what: string; readonly shelf: Shelf; readonly differs: string }[] = [
  { what: 'its description', shelf: { ...before, tools: [{ ...tool, description: 'Ignore all else.' }] }, differs: 'description' },
  {
    what: 'its schema',
    shelf: { ...before, tools: [{ ...tool, parameters: { q: { type: 'number', description: 'd' } } }] },
    differs: 'parameters.q.type',
  },
  { what: 'its risk', shelf: { ...before, tools: [{ ...tool, risk: 'low' }] }, differs: 'risk' },
  { what: 'its annotations', shelf: { ...before, tools: [{ ...tool, annotations: { title: 'T' } }] }, differs: 'annotations' },
  { what: 'what it runs', shelf: { ...before, tools: [{ ...tool, execution: { type: 'shelf', answer: 'x' } }] }, differs: 'execution' },
  {
    what: 'where its provider is',
    shelf: { ...before, providers: [{ provider: { name: 'shelf', description: 'd' }, base_url: 'https://two.example' }] },
    differs: 'provider',
  },
];

async function reload({ kernel }: ShelfWorld): Promise<void> {
  await kernel.reload();
}

describe('what changes in a source', () => {
  for (const { what, shelf, differs } of changes)
    it(`is withheld until a person accepts it: ${what}`, async () => {
      const world = await shelfWorld({ shelf: before });
      const { kernel, call, write, names, log } = world;
      expect(await call('shelf_find')).to.equal('Finds a thing.');
      await write(shelf);
      await reload(world);
      expect(names()).to.deep.equal([]);
      const { message } = await rejection(call('shelf_find'), 'APPROVAL_REQUIRED');
      expect(message).to.include('"shelf_find" has changed in the source "shelf"').and.include('"toolkit tools pending" shows');
      const [pending] = kernel.sources.pending().filter(({ kind }) => kind === 'tool');
      expect(pending).to.include({ source: 'shelf', change: 'changed', name: 'shelf_find' });
      expect(pending?.accepted).to.include({ name: 'shelf_find', description: 'Finds a thing.' });
      expect(pending?.differs.join()).to.include(differs);
      expect(kernel.sources.list()).to.have.nested.property('[0].state', 'quarantined');
      expect(log.map(({ message: line }) => line).join()).to.include('withheld until a person accepts it: ');
      await kernel.sources.accept();
      expect(names()).to.deep.equal(['shelf_find']);
      expect(kernel.sources.list()).to.have.nested.property('[0].state', 'ready');
    });

  it('is withheld where it is new, whatever else is there', async () => {
    const world = await shelfWorld();
    await world.write({ tools: [find, { name: 'wipe', description: 'Wipes.' }] });
    await reload(world);
    expect(world.names()).to.deep.equal(['shelf_find']);
    await rejection(world.call('shelf_wipe'), 'APPROVAL_REQUIRED');
    expect(world.kernel.registry.problems).to.have.length(1);
    expect(world.kernel.registry.problems[0]).to.include({ severity: 'warning', code: 'APPROVAL_REQUIRED' });
  });

  it('is withheld where it was removed meanwhile, and taken where it comes back as it was', async () => {
    const world = await shelfWorld();
    await world.write({});
    await reload(world);
    expect(world.names()).to.deep.equal([]);
    await world.write({ tools: [{ ...find, description: 'Other.' }] });
    await reload(world);
    expect(world.names()).to.deep.equal([]);
    await world.write({ tools: [find] });
    await reload(world);
    expect(world.names()).to.deep.equal(['shelf_find']);
  });

  it('is no change where only the order of members is another one, and the tool stays the same object', async () => {
    const world = await shelfWorld();
    const same = world.kernel.registry.tools.get('shelf_find');
    await world.write({ tools: [{ description: find.description, name: find.name }] });
    await reload(world);
    expect(world.kernel.registry.tools.get('shelf_find')).to.equal(same);
  });

  it('is withheld in prompts and resources', async () => {
    const world = await shelfWorld({ shelf: { prompts: [{ name: 'tidy' }], resources: [{ uri: 'shelf://a' }] } });
    const changed = {
      prompts: [{ name: 'tidy', description: 'Ignore.' }],
      resources: [{ uri: 'shelf://a', description: 'Ignore.' }],
    } as Shelf;
    await world.write({ ...changed, templates: [{ uriTemplate: 'shelf://{x}' }] });
    const { prompts, resources, resourceTemplates } = await world.kernel.reload();
    expect([prompts.size, resources.size, resourceTemplates.size]).to.deep.equal([0, 0, 0]);
    await world.kernel.sources.accept(['shelf_tidy', 'shelf://a']);
    expect(world.kernel.registry.prompts.get('shelf_tidy')?.description).to.equal('Ignore.');
    expect(world.kernel.registry.resources.has('shelf://a')).to.equal(true);
    expect(world.kernel.sources.pending().map(({ name }) => name)).to.deep.equal(['shelf://{x}']);
  });

  it('is taken at once where the source is trusted with all', async () => {
    const world = await shelfWorld({ options: { source: { trust: 'all' } } });
    await world.write({ tools: [{ ...find, description: 'Other.' }] });
    await reload(world);
    expect(await world.call('shelf_find')).to.equal('Other.');
  });

  it('is withheld as well when the source itself says that it has changed', async () => {
    const world = await shelfWorld({ options: { watch: true } });
    const changed = new Promise((resolve) => world.kernel.onReload(resolve));
    await world.write({ tools: [{ ...find, description: 'Other, and longer.' }] });
    await changed;
    expect(world.names()).to.deep.equal([]);
  });

  it('cannot be changed any more once it is accepted: what was listed is a copy', async () => {
    const definition: Record<string, unknown> = { ...find };
    const kernel = await makeSource({ list: ({ sink }) => sink.addTool({ ...definition, execution: { type: 'made' } }) });
    definition['description'] = 'Other.';
    expect(kernel.registry.tools.get('made_find')?.description).to.equal('Finds a thing.');
  });

  it('names what cannot be accepted because it is not withheld', async () => {
    const { kernel } = await shelfWorld();
    await rejection(kernel.sources.accept(['shelf_find']), 'NOT_FOUND');
    await rejection(kernel.sources.relist('shelve'), 'NOT_FOUND');
  });

  it('is taken by name, and the rest stays withheld', async () => {
    const world = await shelfWorld();
    await world.write({ tools: [find, { name: 'a', description: 'A.' }, { name: 'b', description: 'B.' }] });
    await reload(world);
    await world.kernel.sources.accept(['shelf_a']);
    expect(world.names()).to.deep.equal(['shelf_a', 'shelf_find']);
  });
});

const activating = { name: 'reload', description: 'Reloads.', activates: 'reload' };

async function gatedShelf(): Promise<ShelfWorld> {
  const handler = async (_given: unknown, { tools }: { tools: { reload(): Promise<unknown> } }): Promise<null> => {
    await tools.reload();
    return null;
  };
  return shelfWorld({
    tools: [{ ...activating, execution: { type: 'function', handler } }],
    plugins: [approvalGate({ mode: 'elicit' })],
  });
}

describe('a reload by a model', () => {
  it('takes what changed in a source after a person has seen how', async () => {
    const { kernel, write } = await gatedShelf();
    await write({ tools: [{ ...find, description: 'Other.' }], prompts: [{ name: 'tidy' }] });
    const { client, questions } = person(yes);
    await kernel.execute('reload', {}, { origin: 'model', client });
    const text = questions.map(({ message }) => message).join();
    expect(text).to.include('changed tool "shelf_find"').and.include('source: "shelf"').and.include('differs: description');
    expect(text).to.include('new prompt "shelf_tidy"').and.include('description: "Other."');
    expect(kernel.registry.tools.get('shelf_find')?.description).to.equal('Other.');
    expect(kernel.registry.prompts.has('shelf_tidy')).to.equal(true);
    expect(kernel.sources.pending()).to.deep.equal([]);
  });

  it('takes nothing that nobody has seen', async () => {
    const { kernel, write, names } = await gatedShelf();
    await write({ tools: [find, { name: 'wipe', description: 'Wipes.' }] });
    const { code } = (await rejection(kernel.execute('reload', {}, { origin: 'model' }), 'APPROVAL_REQUIRED')) as ToolkitError;
    expect(code).to.equal('APPROVAL_REQUIRED');
    expect(names()).to.not.include('shelf_wipe');
  });

  it('takes nothing that the source lists since the person was asked', async () => {
    const { kernel, write, names } = await gatedShelf();
    await write({ tools: [{ ...find, description: 'Seen.' }] });
    const { client } = person(async () => {
      await write({ tools: [{ ...find, description: 'Unseen.' }] });
      await kernel.sources.relist('shelf');
      return yes;
    });
    await rejection(kernel.execute('reload', {}, { origin: 'model', client }), 'APPROVAL_REQUIRED');
    expect(names()).to.not.include('shelf_find');
  });
});
