import { LongWork, type Prompt, type Registry, type Resource, type ResourceTemplate, type Skill } from '../../../../kernel/index.ts';
import type { Exposure } from '../../../shared/exposure/exposure.ts';
import type { ToolList } from '../../../shared/exposure/tool-lists.ts';

export const listNames = ['tools', 'resources', 'prompts'] as const;

export type ListName = (typeof listNames)[number];

/** Lists of one registry in the form of the protocol, each sorted by its key. They hold only what clients may see. */
export interface CatalogLists {
  readonly registry: Registry;
  readonly tools: Readonly<Record<Exposure, ToolList>>;
  readonly resources: ReadonlyMap<string, Resource>;
  /** Skills, which are resources as well. */
  readonly skills: readonly Skill[];
  readonly resourceTemplates: ReadonlyMap<string, ResourceTemplate>;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

/** Returns the names of the lists that differ for clients with this exposure. */
export async function changedLists(before: CatalogLists, now: CatalogLists, exposure: Exposure): Promise<readonly ListName[]> {
  const isOther: Readonly<Record<ListName, boolean>> = {
    tools: await haveToolsChanged(before.tools[exposure], now.tools[exposure]),
    resources: JSON.stringify(resourcesOf(before)) !== JSON.stringify(resourcesOf(now)),
    prompts: JSON.stringify([...before.prompts.values()]) !== JSON.stringify([...now.prompts.values()]),
  };
  return listNames.filter((list) => isOther[list]);
}

/** Compares one tool after the other, up to the first difference, and yields to the event loop. */
async function haveToolsChanged(before: ToolList, now: ToolList): Promise<boolean> {
  if (before.tools.length !== now.tools.length) return true;
  const work = new LongWork();
  for (const [place, tool] of now.tools.entries()) {
    const old = before.tools[place];
    if (old === tool) continue;
    if (old?.name !== tool.name || JSON.stringify(before.createEntry(old)) !== JSON.stringify(now.createEntry(tool))) return true;
    if (work.isDue) await work.yieldToEventLoop();
  }
  return false;
}

function resourcesOf({ resources, resourceTemplates }: CatalogLists): readonly object[] {
  return [...resources.values(), ...resourceTemplates.values()];
}
