/** The pages, in the order of the navigation. The first one is shown for an unknown address. */
export const pageNames = ['inbox', 'calls', 'tools', 'sources', 'state', 'accounts', 'secrets', 'problems'] as const;

export type PageName = (typeof pageNames)[number];

/** An address of the page: `#/inbox/<id>?status=waiting`. */
export interface Route {
  readonly page: PageName;
  /** Id of a record or call, or the name of a tool. Absent on the list. */
  readonly id?: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Reads an address. An unknown page is the inbox, and a part that is no valid encoding is read as it is. */
export function parseHash(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [name, ...rest] = path.split('/');
  const query = Object.fromEntries(new URLSearchParams(search));
  const page = pageNames.find((known) => known === name);
  if (page === undefined) return { page: 'inbox', query: {} };
  const id = decoded(rest.join('/'));
  return id === '' ? { page, query } : { page, id, query };
}

/** Writes an address. Members of the query that are empty are left out. */
export function hashOf(page: PageName, id?: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const members = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  const search = new URLSearchParams(members).toString();
  return `#/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
