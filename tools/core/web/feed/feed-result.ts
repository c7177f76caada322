/** Feed as `web_read_feed` returns it. */
export interface Feed {
  readonly title: string | null;
  readonly about: FeedAbout;
  readonly items: readonly FeedItem[];
  /** Number of items in the feed, also those that are not returned. */
  readonly total: number;
}

/** Facts about a feed beside its title. Absent members are not stated in the feed. */
export interface FeedAbout {
  /** Format, such as `RSS 2.0`, `Atom 1.0` and `CDF`. */
  readonly format: string;
  readonly link?: string;
  readonly description?: string;
  readonly author?: string;
  readonly copyright?: string;
  /** ISO 8601 in UTC; the original text when it cannot be parsed. */
  readonly updated_at?: string;
}

export interface FeedItem {
  readonly title: string | null;
  readonly link: string | null;
  /** ISO 8601 in UTC; the original text when it cannot be parsed. */
  readonly published_at: string | null;
  /** At most 2000 UTF-16 code units. */
  readonly summary: string | null;
  readonly author?: string;
}

/** Returns the members that are not null. */
export function present<Name extends string>(members: Readonly<Record<Name, string | null>>): { readonly [Member in Name]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as { readonly [Member in Name]?: string };
}

const maxSummary = 2000;

/** Returns a summary on one line, cut when it is too long; null for an empty text. */
export function shortened(text: string | null): string | null {
  const plain = (text ?? '').replace(/\s+/g, ' ').trim();
  if (plain === '') return null;
  return plain.length <= maxSummary ? plain : `${plain.slice(0, maxSummary - 1)}…`;
}
