import type { Prompt, Resource, ResourceTemplate } from '../definition/resources/resource.ts';
import { digest } from '../definition/schema/digest.ts';
import type { Problem } from '../definition/schema/problem.ts';
import { canonicalJson } from '../json/foreign-json.ts';
import { isPlainObject, type JsonObject } from '../json/json.ts';
import { LongWork } from '../time/long-work.ts';
import type { CachedLink } from './linked-source.ts';
import { ReachedSchemas, type SharedSchemas } from './reached-schemas.ts';
import type { SourceItemKind } from './source.ts';

/** An item of a source's listing. */
export interface SourceItem {
  readonly kind: SourceItemKind;
  /** The name with the source's prefix; the URI for resources. */
  readonly name: string;
  readonly definition: JsonObject;
  /**
   * Digest of the item. A tool's covers its provider and the shared schemas that it reaches; a provider's leaves its `$defs` out. The order of members
   * does not count.
   */
  readonly digest: string;
  /** The `$defs` of the provider: its own, or those of a tool's provider in the same listing. */
  readonly shared?: SharedSchemas | undefined;
  /** Digest of a provider's `$defs`. */
  readonly sharedDigest?: string | undefined;
  /** The provider of a tool. */
  readonly provider?: string;
  /** The resource, template or prompt with its functions. */
  readonly value?: Resource | ResourceTemplate | Prompt;
}

/** The items of one listing. */
export interface Listing {
  readonly items: readonly SourceItem[];
  readonly problems: readonly Omit<Problem, 'plugin'>[];
  /** The version that the source gave. Absent for a source without one. */
  readonly version?: string;
  /** The link result of all items, from the cache. */
  readonly cached?: CachedLink;
}

/** Returns a key, unique within a listing. */
export function keyOfItem({ kind, name }: Pick<SourceItem, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

type Draft = Omit<SourceItem, 'digest' | 'shared' | 'sharedDigest'>;

/** A listed item whose digest can be computed when all items are known. */
interface Listed {
  readonly item: Omit<SourceItem, 'digest'>;
  /** Digest of the item without the shared schemas that it reaches. */
  readonly own: string;
  readonly reached: () => string | undefined;
}

/** Computes the digests. Refuses items with an unlisted provider, and duplicates. */
export async function sealListing(drafts: readonly Draft[], own: string, given: Listing['problems']): Promise<Listing> {
  const work = new LongWork();
  const problems = [...given];
  const items = new Map<string, Listed>();
  const schemas = new Map<string, ReachedSchemas>();
  const inOrder = [...drafts.filter(({ kind }) => kind === 'provider'), ...drafts.filter(({ kind }) => kind !== 'provider')];
  for (const draft of inOrder) {
    if (work.isDue) await work.yieldToEventLoop();
    const { kind, name, definition } = draft;
    const refuse = (message: string): void => {
      problems.push({ severity: 'error', code: 'TOOL_INVALID', message, ...(kind === 'tool' ? { tool: name } : {}) });
    };
    const key = keyOfItem(draft);
    if (items.has(key)) {
      refuse(`lists the ${kind} "${name}" twice; the first is kept`);
      continue;
    }
    if (kind === 'provider') {
      const { $defs, ...facts } = definition;
      const shared = isPlainObject($defs) ? $defs : undefined;
      const reached = new ReachedSchemas(shared ?? {});
      if (shared !== undefined) schemas.set(key, reached);
      const item = { ...draft, ...(shared === undefined ? {} : { shared, sharedDigest: reached.digest() }) };
      items.set(key, { item, own: digest([canonicalJson(shared === undefined ? definition : facts), null]), reached: () => undefined });
      continue;
    }
    const providerKey = kind === 'tool' ? keyOfItem({ kind: 'provider', name: draft.provider ?? own }) : '';
    const provider = items.get(providerKey);
    if (draft.provider !== undefined && provider === undefined) {
      refuse(`lists the tool "${name}" with the provider "${draft.provider}", which it does not list`);
      continue;
    }
    const { shared } = provider?.item ?? {};
    items.set(key, {
      item: { ...draft, ...(provider === undefined ? {} : { provider: provider.item.name }), ...(shared === undefined ? {} : { shared }) },
      own: digest([canonicalJson(definition), provider?.own]),
      reached: schemas.get(providerKey)?.add(definition) ?? (() => undefined),
    });
  }
  return { items: [...items.values()].map(sealed), problems };
}

function sealed({ item, own, reached }: Listed): SourceItem {
  const shared = reached();
  return { ...item, digest: shared === undefined ? own : digest([own, shared]) };
}
