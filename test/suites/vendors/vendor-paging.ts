import type { JsonValue } from '../../../kernel/index.ts';

/** How a vendor gives a long list out, with the names that it uses itself. */
export interface VendorPaging {
  /** Parameter of the page size, and the most that is given or recommended. */
  readonly size: { readonly name: string; readonly maximum: number };
  readonly next:
    | { readonly kind: 'cursor'; readonly name: string; readonly path: string; readonly end: JsonValue | undefined }
    /** Pages counted from 1. `hasLink`: with a Link header. */
    | { readonly kind: 'page'; readonly name: string; readonly hasLink: boolean }
    | { readonly kind: 'offset'; readonly name: string; readonly totalPath: string }
    /** A path in the answer whose query leads on. */
    | { readonly kind: 'url'; readonly path: string; readonly pageName: string; readonly tokenName: string };
}

const slack: VendorPaging = {
  size: { name: 'limit', maximum: 200 },
  next: { kind: 'cursor', name: 'cursor', path: 'response_metadata.next_cursor', end: '' },
};

/** From the notes of the catalogue. */
const byProvider: Readonly<Record<string, VendorPaging>> = {
  slack,
  github: { size: { name: 'per_page', maximum: 100 }, next: { kind: 'page', name: 'page', hasLink: true } },
  gmail: { size: { name: 'maxResults', maximum: 500 }, next: { kind: 'cursor', name: 'pageToken', path: 'nextPageToken', end: undefined } },
  notion: { size: { name: 'page_size', maximum: 100 }, next: { kind: 'cursor', name: 'start_cursor', path: 'next_cursor', end: null } },
  twilio: {
    size: { name: 'PageSize', maximum: 1000 },
    next: { kind: 'url', path: 'next_page_uri', pageName: 'Page', tokenName: 'PageToken' },
  },
  hubspot: { size: { name: 'limit', maximum: 100 }, next: { kind: 'cursor', name: 'after', path: 'paging.next.after', end: undefined } },
  mailchimp: { size: { name: 'count', maximum: 1000 }, next: { kind: 'offset', name: 'offset', totalPath: 'total_items' } },
};

const byOperation: Readonly<Record<string, VendorPaging>> = {
  search_messages: { size: { name: 'count', maximum: 100 }, next: { kind: 'page', name: 'page', hasLink: false } },
};

export function pagingOf(provider: string, operationId: string): VendorPaging {
  const found = byOperation[operationId] ?? byProvider[provider];
  if (found === undefined) throw new Error(`It is not known how ${provider} gives out long lists.`);
  return found;
}
