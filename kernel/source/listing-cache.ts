import { LinkedTool, type ToolBody, type ToolHead } from '../definition/link/linked-tool.ts';
import { digest } from '../definition/schema/digest.ts';
import type { Origin } from '../definition/schema/origin.ts';
import type { Problem } from '../definition/schema/problem.ts';
import type { ProviderDefinition } from '../definition/schema/provider-definition.ts';
import type { Provider } from '../definition/schema/tool.ts';
import type { JsonObject } from '../json/json.ts';
import type { LinkedSource, ToolForms } from './linked-source.ts';
import type { Listing, SourceItem } from './listing.ts';
import type { CachedListing, SourceCache } from './source.ts';

type ItemRow = readonly [
  kind: SourceItem['kind'],
  name: string,
  digest: string,
  provider: string | null,
  part: number,
  sharedDigest: string | null,
];
type ToolRow = readonly [name: string, head: Omit<ToolHead, 'name'>, provider: string | null, part: number];
type ProviderRow = readonly [name: string, hash: string, definition: ProviderDefinition, part: number];

interface Head {
  readonly items: readonly ItemRow[];
  readonly problems: Listing['problems'];
  readonly link: {
    readonly derived: readonly string[];
    readonly tools: readonly ToolRow[];
    readonly providers: readonly ProviderRow[];
    readonly problems: readonly Problem[];
  } | null;
}

/** The body of a tool, without what the part of its item has too. */
type ShortBody = Omit<ToolBody, 'definition' | 'execution'> & Partial<Pick<ToolBody, 'definition' | 'execution'>>;

/** The listings of one source in its cache. */
export class ListingCache {
  readonly #cache: SourceCache;
  readonly #keyOf: (version: string) => string;

  /** `dependsOn`: everything but the version that affects a link result. */
  constructor(cache: SourceCache, dependsOn: () => readonly unknown[]) {
    this.#cache = cache;
    this.#keyOf = (version) => JSON.stringify([version, ...dependsOn()]);
  }

  /** Returns the listing of a version. Undefined when there is none, or it cannot be read. */
  read(version: string): Listing | undefined {
    try {
      const stored = this.#cache.read(this.#keyOf(version));
      return stored === undefined ? undefined : listingIn(stored, version);
    } catch {
      return undefined;
    }
  }

  /** Stores a listing whose items all are linked. `forms`: undefined when something of it must be linked at each start. Never throws. */
  store(listing: Listing, linked: LinkedSource, forms: ToolForms | undefined, derived: readonly string[]): void {
    const { version, items, problems } = listing;
    if (version === undefined || items.some(({ value }) => value !== undefined)) return;
    const indexes = new Map(items.map((item, index) => [`${item.kind} ${item.name}`, index]));
    const tools = [...linked.tools.values()].flatMap(({ name, provider }): ToolRow[] => {
      const form = forms?.get(name);
      if (form === undefined) return [];
      const { name: _name, ...head } = form.head;
      return [[name, head, provider?.name ?? null, indexes.get(`tool ${name}`) as number]];
    });
    const providers = [...linked.providers.values()].map(({ name, definition }): ProviderRow => {
      const { $defs: _shared, ...rest } = definition;
      return [name, digest(definition), rest, indexes.get(`provider ${name}`) as number];
    });
    const head: Head = {
      items: items.map(({ kind, name, digest: mark, provider = null, sharedDigest = null }, part) => [
        kind,
        name,
        mark,
        provider,
        part,
        sharedDigest,
      ]),
      problems,
      link: forms === undefined ? null : { derived, tools, providers, problems: linked.problems },
    };
    const part = (index: number): unknown => {
      const { kind, name, definition } = items[index] as SourceItem;
      const form = kind === 'tool' && linked.tools.has(name) ? forms?.get(name) : undefined;
      return [definition, form === undefined ? null : shortened(form.body(), definition)];
    };
    try {
      this.#cache.store(this.#keyOf(version), { head, length: items.length, part });
    } catch {
      // A cache that cannot be written costs the next start its time.
    }
  }
}

/** Leaves out what is the same in the listed definition. */
function shortened({ definition, execution, ...body }: ToolBody, listed: JsonObject): ShortBody {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  return {
    ...body,
    ...(isSame(definition, listed) ? {} : { definition }),
    ...(isSame(execution, listed['execution']) ? {} : { execution }),
  };
}

function listingIn(stored: CachedListing, version: string): Listing {
  const { items, problems, link } = stored.head as Head;
  const partOf = (part: number): readonly [JsonObject, ShortBody] => stored.part(part) as readonly [JsonObject, ShortBody];
  const partsOfProviders = new Map(items.flatMap(([kind, name, , , part]) => (kind === 'provider' ? [[name, part] as const] : [])));
  return {
    version,
    problems,
    items: items.map(
      ([kind, name, mark, provider, part, sharedDigest]): SourceItem => ({
        ...{ kind, name, digest: mark },
        ...(provider === null ? {} : { provider }),
        ...(sharedDigest === null ? {} : { sharedDigest }),
        get definition() {
          return partOf(part)[0];
        },
        get shared() {
          const at = partsOfProviders.get(kind === 'provider' ? name : (provider ?? ''));
          return at === undefined ? undefined : (partOf(at)[0] as ProviderDefinition).$defs;
        },
      }),
    ),
    ...(link === null ? {} : { cached: { derived: link.derived, link: (origin) => linkedIn(link, partOf, origin) } }),
  };
}

function linkedIn(
  link: NonNullable<Head['link']>,
  partOf: (part: number) => readonly [JsonObject, ShortBody],
  origin: Origin,
): LinkedSource {
  const providers = new Map(
    link.providers.map(([name, hash, rest, part]): [string, Provider] => {
      const definition = withLazyDefs(rest, () => (partOf(part)[0] as ProviderDefinition).$defs);
      return [name, { name, hash, definition, origin }];
    }),
  );
  const tools = link.tools.map(([name, head, provider, part]): [string, LinkedTool] => {
    const body = (): ToolBody => {
      const [definition, short] = partOf(part);
      const { execution = definition['execution'], ...rest } = short;
      return { definition, execution, ...rest } as ToolBody;
    };
    return [name, new LinkedTool({ name, ...head }, body, origin, provider === null ? undefined : providers.get(provider))];
  });
  return { tools: new Map(tools), providers, problems: link.problems };
}

/** Returns the definition of a provider with `$defs` that are read on first use. */
function withLazyDefs(rest: ProviderDefinition, read: () => ProviderDefinition['$defs']): ProviderDefinition {
  let known: { readonly $defs: ProviderDefinition['$defs'] } | undefined;
  const get = (): ProviderDefinition['$defs'] => {
    known ??= { $defs: read() };
    return known.$defs;
  };
  return Object.defineProperty({ ...rest }, '$defs', { get, enumerable: true, configurable: true });
}

/** Returns the link results without what this cache does not keep; undefined when one is missing or must be checked at each start. */
export function formsOf(linked: LinkedSource, tools: ToolForms, providers: ReadonlySet<string>): ToolForms | undefined {
  const isLasting = (name: string): boolean => tools.get(name) !== undefined && tools.get(name)?.head.execution === undefined;
  const isWhole = [...linked.tools.keys()].every(isLasting) && [...linked.providers.keys()].every((name) => providers.has(name));
  return isWhole ? tools : undefined;
}
