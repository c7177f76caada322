import type { Origin, Provider, Registry, Tool } from '../../../kernel/index.ts';

/** Names of secrets that providers give after a login (`oauth2.provides`), of the current registry. */
export class ProvidedNames {
  readonly #registry: () => Pick<Registry, 'providers' | 'presets'>;
  #read: Pick<Registry, 'providers' | 'presets'> | undefined;
  #providers: ReadonlyMap<string, readonly Provider[]> = new Map();

  constructor(registry: () => Pick<Registry, 'providers' | 'presets'>) {
    this.#registry = registry;
  }

  /** Returns true for a name that a provider gives. */
  has(name: string): boolean {
    return this.#current().has(name);
  }

  /**
   * Returns the provider that gives a tool the secret: the tool's own, else another one. A tool of a package gets nothing of a provider of another
   * package. `tool`: undefined for a list of tools.
   */
  providerOf(name: string, tool?: Pick<Tool, 'provider' | 'origin'>): string | undefined {
    const providers = this.#current().get(name) ?? [];
    const own = providers.find((provider) => provider.name === tool?.provider?.name);
    return (own ?? providers.find(({ origin }) => tool === undefined || isFor(origin, tool.origin)))?.name;
  }

  #current(): ReadonlyMap<string, readonly Provider[]> {
    const registry = this.#registry();
    if (registry !== this.#read) {
      this.#providers = providersByName(new Map([...registry.presets, ...registry.providers]).values());
      this.#read = registry;
    }
    return this.#providers;
  }
}

function isFor(provider: Origin, tool: Origin): boolean {
  const isOperators = tool.package === undefined || provider.trust === 'operator' || provider.isPreset === true;
  return isOperators || provider.package?.name === tool.package?.name;
}

function providersByName(providers: Iterable<Provider>): ReadonlyMap<string, readonly Provider[]> {
  const byName = new Map<string, Provider[]>();
  for (const provider of providers)
    for (const name of Object.keys(provider.definition.oauth2?.provides ?? {})) byName.set(name, [...(byName.get(name) ?? []), provider]);
  return byName;
}
