import type { Prompt, Resource, ResourceTemplate } from '../definition/resources/resource.ts';
import { digest } from '../definition/schema/digest.ts';
import type { Problem } from '../definition/schema/problem.ts';
import { canonicalJson } from '../schema/foreign-json.ts';
import type { JsonObject } from '../schema/json.ts';
import { LongWork } from '../time/long-work.ts';
import type { CachedLink } from './linked-source.ts';
import type { SourceItemKind } from './source.ts';

/** An item of a source's listing. */
export interface SourceItem {
  readonly kind: SourceItemKind;
  /** The name with the source's prefix; the URI for resources. */
  readonly name: string;
  readonly definition: JsonObject;
  /** Digest of the item; for a tool its provider is included. The order of members does not count. */
  readonly digest: string;
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

/** Computes the digests. Refuses items with an unlisted provider, and duplicates. */
export async function sealListing(
  drafts: readonly Omit<SourceItem, 'digest'>[],
  own: string,
  given: Listing['problems'],
): Promise<Listing> {
  const work = new LongWork();
  const problems = [...given];
  const items = new Map<string, SourceItem>();
  const inOrder = [...drafts.filter(({ kind }) => kind === 'provider'), ...drafts.filter(({ kind }) => kind !== 'provider')];
  for (const draft of inOrder) {
    if (work.isDue) await work.yieldToEventLoop();
    const refuse = (message: string): void => {
      problems.push({ severity: 'error', code: 'TOOL_INVALID', message, ...(draft.kind === 'tool' ? { tool: draft.name } : {}) });
    };
    const key = keyOfItem(draft);
    if (items.has(key)) {
      refuse(`lists the ${draft.kind} "${draft.name}" twice; the first is kept`);
      continue;
    }
    const providerName = draft.kind === 'tool' ? (draft.provider ?? own) : undefined;
    const provider = providerName === undefined ? undefined : items.get(keyOfItem({ kind: 'provider', name: providerName }));
    if (draft.provider !== undefined && provider === undefined) {
      refuse(`lists the tool "${draft.name}" with the provider "${draft.provider}", which it does not list`);
      continue;
    }
    items.set(key, {
      ...draft,
      digest: digest([canonicalJson(draft.definition), provider?.digest]),
      ...(provider === undefined ? {} : { provider: provider.name }),
    });
  }
  return { items: [...items.values()], problems };
}
