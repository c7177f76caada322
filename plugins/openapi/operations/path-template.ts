/** A path of a document, taken apart. */
export interface PathTemplate {
  /** The path to send. */
  readonly path: string;
  /** Names in braces, in the order of the path, one of each. */
  readonly names: readonly string[];
  /** Pairs of the query that are always sent. */
  readonly fixedQuery: readonly (readonly [name: string, value: string])[];
  /** Parameters of the query that the path names: `?q={text}` has `text`, sent as `q`. */
  readonly queryNames: readonly QueryName[];
}

interface QueryName {
  readonly name: string;
  readonly sentAs: string;
  /** False for those of a template expression, such as `{?page}`. */
  readonly isRequired: boolean;
}

/** Maximum length of a path, in characters. The longest public one has 380. */
export const maxPathLength = 4096;

/** Form-style query expansion (RFC 6570, section 3.2.8), which some documents use: `/files{?page,limit}`. */
const queryExpansion = /\{[?&]([^{}]*)\}/g;

/** Takes a path apart: the path, its query, and a fragment, which is never sent: AWS tells operations of one path apart by it. */
export function parsePath(text: string): PathTemplate {
  const queryNames: QueryName[] = [];
  const plain = text.replace(queryExpansion, (_, list: string) => {
    const names = list.split(',').map((name) => plainName(name));
    queryNames.push(...names.filter((name) => name !== '').map((name) => ({ name, sentAs: name, isRequired: false })));
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
    // `{name}=1` has the example in place of the value.
    const whole = nameIn(value);
    const parameter = whole ?? nameIn(name);
    if (parameter === undefined) fixedQuery.push([decoded(name), decoded(value)]);
    else queryNames.push({ name: parameter, sentAs: whole === undefined ? parameter : decoded(name), isRequired: true });
  }
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '');
  return { path: path === '' ? '/' : path, names: [...new Set(names)], fixedQuery, queryNames };
}

function nameIn(text: string): string | undefined {
  return /^\{([^{}]+)\}$/.exec(text)?.[1];
}

/** Returns a name of a template without operators of other template languages: `{+path}`, `{path*}`, `{path:}`. */
export function plainName(name: string): string {
  return name
    .trim()
    .replace(/^[+./;]/, '')
    .replace(/[*+:]$/, '')
    .trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
