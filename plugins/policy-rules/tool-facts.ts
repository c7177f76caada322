import { parseTemplate, parseUrl, type Risk, type Tool } from '../../kernel/index.ts';

/** A fact about a tool. `none`: the tool has no such value. `unknown`: the value comes from a placeholder. */
export type Fact = { readonly type: 'known'; readonly value: string } | { readonly type: 'unknown' } | { readonly type: 'none' };

/** Facts about a tool that rules can test: the same for all its calls. */
export interface ToolFacts {
  readonly tool: string;
  readonly provider: string | undefined;
  readonly risk: Risk;
  readonly tags: readonly string[];
  /** Lower case. */
  readonly method: Fact;
  /** Lower case, without port and trailing dot. */
  readonly host: Fact;
}

/** Reads the facts of a tool. `method` and `url` are read from any execution that has them. */
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

/** Returns the host of a URL template. Known only when the whole authority is before the first placeholder; the URL parser reads it. */
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
