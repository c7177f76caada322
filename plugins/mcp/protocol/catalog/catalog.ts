import { type Kernel, messageOf, type Registry, type Tool } from '../../../../kernel/index.ts';
import type { Availability } from '../../../shared/exposure/availability.ts';
import { withCompanions } from '../../../shared/exposure/companions.ts';
import type { Exposure, ListSize } from '../../../shared/exposure/exposure.ts';
import { listForClient } from '../../../shared/exposure/list-for-client.ts';
import type { ToolAccess } from '../../../shared/exposure/tool-access.ts';
import { allTools, roughSizeOf, searchedTools, type ToolList } from '../../../shared/exposure/tool-lists.ts';
import type { ListedTool } from '../../../shared/mcp-sdk/types.ts';
import { type CatalogLists, changedLists, type ListName } from './catalog-lists.ts';
import { listedSkills } from './listed-skills.ts';
import { skillFileTemplate, skillResource, skillUri } from './skill-resources.ts';

/** Tools, resources and prompts that clients may see. All connections share one catalog; a reload rebuilds its lists. */
export class Catalog {
  readonly kernel: Kernel;
  readonly #access: ToolAccess;
  readonly #availability: Pick<Availability, 'isAvailable' | 'onChange'>;
  readonly #listeners = new Map<(list: ListName) => void, () => Exposure>();
  readonly #stopListening: () => void;
  #lists: CatalogLists | undefined;
  #visible: { readonly registry: Registry | undefined; readonly decisions: WeakMap<object, boolean> } = {
    registry: undefined,
    decisions: new WeakMap(),
  };
  #registry: Registry;
  #size: { readonly list: ToolList; readonly size: ListSize } | undefined;

  /** `availability`: limits the lists to tools whose secrets are available. */
  constructor(kernel: Kernel, access: ToolAccess, availability: Pick<Availability, 'isAvailable' | 'onChange'> = anyTool) {
    this.kernel = kernel;
    this.#access = access;
    this.#availability = availability;
    this.#registry = kernel.registry;
    const announce = (): void =>
      void this.#announce().catch((error: unknown) =>
        kernel.logger.warn(`clients were not told that lists have changed: ${messageOf(error)}`),
      );
    const ends = [kernel.onReload(announce), availability.onChange(announce)];
    this.#stopListening = () => ends.forEach((end) => void end());
  }

  /** Decides which tools a client may call, once for each tool of a registry: every call asks. */
  readonly isVisible: ToolAccess['isCallable'] = (tool) => {
    const { registry } = this.kernel;
    if (this.#visible.registry !== registry) this.#visible = { registry, decisions: new WeakMap() };
    const { decisions } = this.#visible;
    const known = decisions.get(tool);
    if (known !== undefined) return known;
    const decision = this.#access.isCallable(tool);
    decisions.set(tool, decision);
    return decision;
  };

  /** Decides for the tools that list and search tools which visible tools they may return. */
  get isListed(): Availability['isAvailable'] {
    return this.#availability.isAvailable;
  }

  /** Returns the tools in a client's list. A client may call every visible tool, listed or not. */
  tools(exposure: Exposure): ToolList {
    return this.#current().tools[exposure];
  }

  /** Approximate size of the list of all tools. */
  get size(): ListSize {
    const list = this.tools('all');
    if (this.#size?.list !== list) this.#size = { list, size: roughSizeOf(list) };
    return this.#size.size;
  }

  get resources(): CatalogLists['resources'] {
    return this.#current().resources;
  }

  get skills(): CatalogLists['skills'] {
    return this.#current().skills;
  }

  get resourceTemplates(): CatalogLists['resourceTemplates'] {
    return this.#current().resourceTemplates;
  }

  get prompts(): CatalogLists['prompts'] {
    return this.#current().prompts;
  }

  /** Calls `listener` after a reload for each changed list of that exposure. Returns a function that ends this. */
  onChange(listener: (list: ListName) => void, exposure: () => Exposure): () => void {
    this.#listeners.set(listener, exposure);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopListening();
    this.#listeners.clear();
  }

  #current(): CatalogLists {
    const { registry } = this.kernel;
    if (this.#lists?.registry !== registry) this.#lists = this.#listsOf(registry);
    this.#registry = registry;
    return this.#lists as CatalogLists;
  }

  #listsOf(registry: Registry): CatalogLists {
    return listsOf(this.kernel, registry, this.#access, this.isListed);
  }

  /** Yields to the event loop while it compares long lists. */
  async #announce(): Promise<void> {
    const before = this.#lists ?? (this.#listeners.size === 0 ? undefined : this.#listsOf(this.#registry));
    // Read before the lists change: a client is notified according to its previous list.
    const listeners = [...this.#listeners].map(([listener, exposure]) => [listener, exposure()] as const);
    this.#lists = undefined;
    if (before === undefined || listeners.length === 0) return;
    const now = this.#current();
    for (const exposure of new Set(listeners.map(([, listed]) => listed))) {
      const changed = await changedLists(before, now, exposure);
      for (const [listener, listed] of listeners)
        if (listed === exposure && this.#listeners.has(listener)) for (const list of changed) listener(list);
    }
  }
}

/** Used where the secrets of a tool do not matter. */
const anyTool: Pick<Availability, 'isAvailable' | 'onChange'> = { isAvailable: () => true, onChange: () => () => {} };

function listsOf(kernel: Kernel, registry: Registry, access: ToolAccess, isAvailable: Availability['isAvailable']): CatalogLists {
  const tools = withCompanions(registry).filter((tool) => access.isCallable(tool) && isAvailable(tool));
  const skills = listedSkills(registry, tools);
  const resources = [...skills.map((skill) => skillResource(skill, kernel)), ...registry.resources.values()];
  const templates = [...(skills.length === 0 ? [] : [skillFileTemplate(skills)]), ...registry.resourceTemplates.values()];
  return {
    registry,
    tools: toolLists(kernel, tools, access),
    resources: sortedByKey(resources, ({ uri }) => uri),
    skills: [...sortedByKey(skills, skillUri).values()],
    resourceTemplates: sortedByKey(templates, ({ uriTemplate }) => uriTemplate),
    prompts: registry.prompts,
  };
}

/** Builds each list at its first use. */
function toolLists(
  kernel: Kernel,
  tools: readonly Tool[],
  { isAllowed: isOffered, isPinned, outputSchemas }: ToolAccess,
): CatalogLists['tools'] {
  const listed = (tool: Tool): ListedTool => listForClient(tool, kernel.approvalProof, outputSchemas);
  const made: Partial<Record<Exposure, ToolList>> = {};
  return {
    get all() {
      made.all ??= allTools(tools, isOffered, listed, isPinned);
      return made.all;
    },
    get search() {
      made.search ??= searchedTools(tools, isPinned, listed);
      return made.search;
    },
  };
}

function sortedByKey<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T> {
  const first = new Map<string, T>();
  for (const value of values) if (!first.has(keyOf(value))) first.set(keyOf(value), value);
  return new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1)));
}
