import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Kernel, Prompt, Registry, Resource, ResourceTemplate, Skill, Tool } from '../../../kernel/index.ts';
import { listTool } from '../../shared/tool-listing.ts';
import { skillFiles, skillResource } from './skill-resources.ts';

export type ListName = 'tools' | 'resources' | 'prompts';

/** The visible part of one registry, in the form of the protocol, each list sorted by its key. */
interface Shown {
  readonly registry: Registry;
  readonly tools: readonly (readonly [string, ListedTool])[];
  readonly resources: ReadonlyMap<string, Resource>;
  readonly resourceTemplates: ReadonlyMap<string, ResourceTemplate>;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

/** What a server offers to its clients. It is made once for all connections, and again after a reload. */
export class Offer {
  readonly kernel: Kernel;
  readonly isVisible: (tool: { readonly name: string }) => boolean;
  readonly #listeners = new Set<(list: ListName) => void>();
  readonly #stopListening: () => void;
  #shown: Shown | undefined;
  #registry: Registry;

  constructor(kernel: Kernel, isVisible: (tool: { readonly name: string }) => boolean) {
    this.kernel = kernel;
    this.isVisible = isVisible;
    this.#registry = kernel.registry;
    this.#stopListening = kernel.onReload(() => this.#announce());
  }

  get tools(): Shown['tools'] {
    return this.#current().tools;
  }

  get resources(): Shown['resources'] {
    return this.#current().resources;
  }

  get resourceTemplates(): Shown['resourceTemplates'] {
    return this.#current().resourceTemplates;
  }

  get prompts(): Shown['prompts'] {
    return this.#current().prompts;
  }

  /** Called after a reload for each list that has changed. Returns the end of the subscription. */
  onChange(listener: (list: ListName) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopListening();
    this.#listeners.clear();
  }

  #current(): Shown {
    const { registry } = this.kernel;
    if (this.#shown?.registry !== registry) this.#shown = show(this.kernel, registry, this.isVisible);
    this.#registry = registry;
    return this.#shown as Shown;
  }

  #announce(): void {
    if (this.#listeners.size === 0) return;
    const before = this.#shown ?? show(this.kernel, this.#registry, this.isVisible);
    const now = this.#current();
    const lists: readonly ListName[] = ['tools', 'resources', 'prompts'];
    const changed = lists.filter((list) => fingerprint(before, list) !== fingerprint(now, list));
    for (const listener of this.#listeners) for (const list of changed) listener(list);
  }
}

function show(kernel: Kernel, registry: Registry, isVisible: (tool: { readonly name: string }) => boolean): Shown {
  const tools = [...registry.tools.values()].filter(isVisible);
  const skills = [...registry.skills.values()].filter((skill) => isUseful(skill, registry, tools));
  const resources = [...skills.map((skill) => skillResource(skill, kernel)), ...registry.resources.values()];
  const files = skillFiles(skills);
  const templates = [...(skills.length === 0 ? [] : [files]), ...registry.resourceTemplates.values()];
  return {
    registry,
    tools: tools.map((tool) => [tool.name, listTool(tool, kernel.approvalWord)] as const),
    resources: byKey(resources, ({ uri }) => uri),
    resourceTemplates: byKey(templates, ({ uriTemplate }) => uriTemplate),
    prompts: registry.prompts,
  };
}

/** A skill whose folder holds tools is shown with them; one that stands alone always. */
function isUseful({ origin: { directory } }: Skill, registry: Registry, visible: readonly Tool[]): boolean {
  const isBelow = ({ origin }: Tool): boolean => directory !== undefined && `${origin.directory}/`.startsWith(`${directory}/`);
  return visible.some(isBelow) || ![...registry.tools.values()].some(isBelow);
}

function byKey<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T> {
  const entries = values.map((value) => [keyOf(value), value] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function fingerprint(shown: Shown, list: ListName): string {
  if (list === 'tools') return JSON.stringify(shown.tools);
  if (list === 'prompts') return JSON.stringify([...shown.prompts.values()]);
  return JSON.stringify([...shown.resources.values(), ...shown.resourceTemplates.values()]);
}
