import { parseTemplate, parseUrl, type Risk, type Tool } from '../../kernel/index.ts';

/** `none`: there is no such thing. `unknown`: there is, but it comes out of a placeholder. */
export type Fact = { readonly type: 'known'; readonly value: string } | { readonly type: 'unknown' } | { readonly type: 'none' };

/** What a rule may ask of a tool: the same for every call of it. */
export interface ToolFacts {
  readonly tool: string;
  readonly provider: string | undefined;
  readonly risk: Risk;
  readonly tags: readonly string[];
  /** In lower case. */
  readonly method: Fact;
  /** In lower case, without port and without the dot that may end it. */
  readonly host: Fact;
}

/** `method` and `url` are read from whatever execution has them. */
export function factsOf({ name, provider, risk, definition, execution }: Tool): ToolFacts {
  const { method, url } = execution as { readonly method?: unknown; readonly url?: unknown };
  return {
    tool: name,
    provider: provider?.name,
    risk,
    tags: definition.tags ?? [],
    method: typeof method === 'string' ? methodOf(method) : { type: 'none' },
    host: typeof url === 'string' ? hostOf(url) : { type: 'none' },
  };
}

function methodOf(template: string): Fact {
  const parts = parseTemplate(template);
  return parts.every((part) => typeof part === 'string') ? { type: 'known', value: parts.join('').toLowerCase() } : { type: 'unknown' };
}

/** Known only when the whole authority is written before the first placeholder; the URL parser says what its host is. */
function hostOf(template: string): Fact {
  const [first] = parseTemplate(template);
  if (typeof first !== 'string') return { type: 'unknown' };
  const isWhole = parseTemplate(template).length === 1;
  const [start] = /^https?:\/\/[^/?#\\]+(?=[/?#\\])/i.exec(first) ?? [];
  const authority = start ?? (isWhole ? first : undefined);
  const url = authority === undefined ? undefined : parseUrl(authority);
  if (url === undefined) return { type: 'unknown' };
  const value = url.hostname.replace(/\.$/, '');
  return value === '' ? { type: 'unknown' } : { type: 'known', value };
}
