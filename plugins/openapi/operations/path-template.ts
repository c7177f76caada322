/** A path of a document, taken apart. */
export interface PathTemplate {
  /** The path to send. */
  readonly path: string;
  /** Names in braces, in the order of the path. */
  readonly names: readonly string[];
  /** Pairs of the query that are always sent. */
  readonly fixedQuery: readonly (readonly [name: string, value: string])[];
  /** Parameters of the query that the path names: `?q={text}` has `text`, sent as `q`. */
  readonly queryNames: readonly { readonly name: string; readonly sentAs: string; readonly isRequired: boolean }[];
}

/** Form-style query expansion (RFC 6570, section 3.2.8), which some documents use: `/files{?page,limit}`. */
const queryExpansion = /\{[?&]([^{}]*)\}/g;

/** Takes a path apart: the path, its query, and a fragment, which is never sent: AWS tells operations of one path apart by it. */
export function parsePath(text: string): PathTemplate {
  const queryNames: { name: string; sentAs: string; isRequired: boolean }[] = [];
  const plain = text.replace(queryExpansion, (_, list: string) => {
    for (const name of list.split(',').map((name) => name.replace(/\*$/, '').trim()))
      if (name !== '') queryNames.push({ name, sentAs: name, isRequired: false });
    return '';
  });
  const withoutFragment = plain.split('#', 1)[0] ?? '';
  const question = withoutFragment.indexOf('?');
  const path = question === -1 ? withoutFragment : withoutFragment.slice(0, question);
  const fixedQuery: (readonly [string, string])[] = [];
  for (const pair of question === -1 ? [] : withoutFragment.slice(question + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const whole = /^\{([^{}]+)\}$/.exec(value === '' ? name : value)?.[1];
    if (whole === undefined) fixedQuery.push([decoded(name), decoded(value)]);
    else queryNames.push({ name: whole, sentAs: value === '' ? whole : decoded(name), isRequired: true });
  }
  return { path: path === '' ? '/' : path, names: [...new Set(namesIn(path))], fixedQuery, queryNames };
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '');
}

/** Returns a name of a template without operators of other template languages: `{+path}`, `{path*}`, `{path:}`. */
export function plainName(name: string): string {
  return name.replace(/^[+./;\s]+|[*+:\s]+$/g, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
