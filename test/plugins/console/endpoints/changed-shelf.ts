import type { Shelf } from '../../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import { sourcesEndpoints } from '../../../../plugins/console/endpoints/sources.ts';
import type { ShownChange, SourcesPage } from '../../../../plugins/console/wire/sources.ts';
import { find, type ShelfWorld, shelfWorld } from '../../../kernel/source/shelf.ts';
import { askEndpoint } from './ask-endpoint.ts';

/** Asks for the page of the sources. */
export const pageOf = ({ kernel }: ShelfWorld): Promise<SourcesPage> => askEndpoint(sourcesEndpoints, 'GET sources', kernel);

/** Accepts changes of a source. */
export const accept = ({ kernel }: ShelfWorld, body: unknown, name = 'shelf'): Promise<SourcesPage> =>
  askEndpoint(sourcesEndpoints, 'POST sources/{name}/accept', kernel, { values: { name }, body });

/** A source that has changed to this list since its first listing. */
export async function changedTo(shelf: Shelf, before: Shelf = { tools: [find] }): Promise<ShelfWorld> {
  const world = await shelfWorld({ shelf: before });
  await change(world, shelf);
  return world;
}

/** Replaces the list, and has it listed again. */
export async function change(world: ShelfWorld, shelf: Shelf): Promise<void> {
  await world.write(shelf);
  await world.kernel.reload();
}

/** Returns a change as it is accepted. */
export const chosen = ({ name, digest }: ShownChange): { name: string; digest: string } => ({ name, digest });
