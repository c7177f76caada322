/** A feed as `web_read_feed` gives it. */
export interface Feed {
  readonly title: string | null;
  readonly about: FeedAbout;
  readonly items: readonly FeedItem[];
  /** Items of the feed, also those that are not given. */
  readonly total: number;
}

/** Facts that a feed states about itself beside its title. Absent is what it does not state. */
export interface FeedAbout {
  /** Such as `RSS 2.0`, `Atom 1.0` and `CDF`. */
  readonly format: string;
  readonly link?: string;
  readonly description?: string;
  readonly author?: string;
  readonly copyright?: string;
  /** ISO 8601 in UTC; as it is written where it cannot be read. */
  readonly updated_at?: string;
}

export interface FeedItem {
  readonly title: string | null;
  readonly link: string | null;
  /** ISO 8601 in UTC; as it is written where it cannot be read. */
  readonly published_at: string | null;
  /** UTF-16 code units: 2000 at most. */
  readonly summary: string | null;
  readonly author?: string;
}

/** Members without those that are null. */
export function present<Name extends string>(members: Readonly<Record<Name, string | null>>): { readonly [Member in Name]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as { readonly [Member in Name]?: string };
}

const maxSummary = 2000;

/** A summary on one line, cut where it is too long; null without words. */
export function shortened(text: string | null): string | null {
  const plain = (text ?? '').replace(/\s+/g, ' ').trim();
  if (plain === '') return null;
  return plain.length <= maxSummary ? plain : `${plain.slice(0, maxSummary - 1)}…`;
}
