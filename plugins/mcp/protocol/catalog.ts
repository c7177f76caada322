import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Kernel, Prompt, Registry, Resource, ResourceTemplate, Skill, Tool } from '../../../kernel/index.ts';
import { listTool } from '../../shared/exposure/tool-listing.ts';
import { skillFileTemplate, skillResource } from './skill-resources.ts';

export type ListName = 'tools' | 'resources' | 'prompts';

/** What clients may see of one registry, in the form in which the protocol lists it, each list sorted by its key. */
interface CatalogLists {
  readonly registry: Registry;
  readonly tools: readonly (readonly [string, ListedTool])[];
  readonly resources: ReadonlyMap<string, Resource>;
  readonly resourceTemplates: ReadonlyMap<string, ResourceTemplate>;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

/** The tools, resources and prompts that clients may see. All connections share one; its lists are made again after a reload. */
export class Catalog {
  readonly kernel: Kernel;
  readonly isVisible: (tool: { readonly name: string }) => boolean;
  readonly #listeners = new Set<(list: ListName) => void>();
  readonly #stopListening: () => void;
  #lists: CatalogLists | undefined;
  #registry: Registry;

  constructor(kernel: Kernel, isVisible: (tool: { readonly name: string }) => boolean) {
    this.kernel = kernel;
    this.isVisible = isVisible;
    this.#registry = kernel.registry;
    this.#stopListening = kernel.onReload(() => this.#announce());
  }

  get tools(): CatalogLists['tools'] {
    return this.#current().tools;
  }

  get resources(): CatalogLists['resources'] {
    return this.#current().resources;
  }

  get resourceTemplates(): CatalogLists['resourceTemplates'] {
    return this.#current().resourceTemplates;
  }

  get prompts(): CatalogLists['prompts'] {
    return this.#current().prompts;
  }

  /** `listener` is called after a reload for each list that has changed. Returns a function that ends this. */
  onChange(listener: (list: ListName) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopListening();
    this.#listeners.clear();
  }

  #current(): CatalogLists {
    const { registry } = this.kernel;
    if (this.#lists?.registry !== registry) this.#lists = listsOf(this.kernel, registry, this.isVisible);
    this.#registry = registry;
    return this.#lists as CatalogLists;
  }

  #announce(): void {
    if (this.#listeners.size === 0) return;
    const before = this.#lists ?? listsOf(this.kernel, this.#registry, this.isVisible);
    const now = this.#current();
    const lists: readonly ListName[] = ['tools', 'resources', 'prompts'];
    const changed = lists.filter((list) => fingerprint(before, list) !== fingerprint(now, list));
    for (const listener of this.#listeners) for (const list of changed) listener(list);
  }
}

function listsOf(kernel: Kernel, registry: Registry, isVisible: (tool: { readonly name: string }) => boolean): CatalogLists {
  const tools = [...registry.tools.values()].filter(isVisible);
  const skills = [...registry.skills.values()].filter((skill) => isListed(skill, registry, tools));
  const resources = [...skills.map((skill) => skillResource(skill, kernel)), ...registry.resources.values()];
  const templates = [...(skills.length === 0 ? [] : [skillFileTemplate(skills)]), ...registry.resourceTemplates.values()];
  return {
    registry,
    tools: tools.map((tool) => [tool.name, listTool(tool, kernel.approvalProof)] as const),
    resources: sortedByKey(resources, ({ uri }) => uri),
    resourceTemplates: sortedByKey(templates, ({ uriTemplate }) => uriTemplate),
    prompts: registry.prompts,
  };
}

/** A skill whose folder holds tools is listed if one of them is visible; one without tools in its folder always is. */
function isListed({ origin: { directory } }: Skill, registry: Registry, visible: readonly Tool[]): boolean {
  const isBelow = ({ origin }: Tool): boolean => directory !== undefined && `${origin.directory}/`.startsWith(`${directory}/`);
  return visible.some(isBelow) || ![...registry.tools.values()].some(isBelow);
}

function sortedByKey<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T> {
  const entries = values.map((value) => [keyOf(value), value] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function fingerprint(lists: CatalogLists, list: ListName): string {
  if (list === 'tools') return JSON.stringify(lists.tools);
  if (list === 'prompts') return JSON.stringify([...lists.prompts.values()]);
  return JSON.stringify([...lists.resources.values(), ...lists.resourceTemplates.values()]);
}
