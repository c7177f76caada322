import type { Json, Outcome } from './recorded-client.ts';

/** The name of the source. */
export const source = 'srv';

/** The prefix of the names of tools and prompts. */
export const prefix = `${source}_`;

/** Members of the era, which stand on each answer of 2026-07-28 and on none of 2025. */
const ofEra = new Set(['resultType', 'ttlMs', 'cacheScope', 'nextCursor']);

/** Texts that tell when they were written, of npm's servers. */
const times = [
  /\b\d{1,2}:\d{2}:\d{2}( [AP]M)?/g,
  /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g,
  /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d{1,2} \d{4} [\d:]+ GMT[+-]\d{4} \([^)]*\)/g,
];

/** Returns an outcome after the rewrites that a comparison allows, and no others: prefix, ids, progress tokens, timestamps, and our own metadata. */
export function rewritten({ answer, progress, logs, questions }: Outcome): Json {
  return {
    answer: withoutPrefix(plain(answer) as Json),
    progress: progress.map(({ progressToken: _token, ...rest }) => plain(rest)),
    // A server of npm writes it some time after its start, whatever is called then.
    logs: logs.filter(({ data }) => !String(data).startsWith('Roots updated')).map(plain),
    questions: questions.map(plain),
  };
}

/** Returns a notice after the same rewrites. */
export function rewrittenNotice(notice: Json): Json {
  return plain(notice) as Json;
}

/** The members of lists, with the key of their items. */
const lists = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;

/** Takes the name of the source from names and descriptions, and makes maps of lists: one of several servers has an order of its own. */
function withoutPrefix(answer: Json): Json {
  const own = Object.entries(lists).flatMap(([list, key]): [string, unknown][] => {
    if (!Array.isArray(answer[list])) return [];
    const items = (answer[list] as readonly Json[])
      .filter(({ name }) => !String(name).startsWith('toolkit_'))
      .map((item) => (key === 'name' ? { ...item, name: String(item['name']).replace(prefix, '') } : item));
    return [[list, Object.fromEntries(items.map((item) => [String(item[key as 'name']), item]))]];
  });
  return { ...answer, ...Object.fromEntries(own) };
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return withoutTime(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (ofEra.has(name)) return [];
    if (name === 'blob' && typeof member === 'string') return [[name, withoutTime(Buffer.from(member, 'base64').toString())]];
    if (name !== '_meta') return [[name, plain(member)]];
    const meta = Object.entries(member as Json).filter(
      ([key]) => key !== 'progressToken' && !key.startsWith('toolkit/') && !key.startsWith('io.modelcontextprotocol/'),
    );
    return meta.length === 0 ? [] : [[name, plain(Object.fromEntries(meta))]];
  });
  return Object.fromEntries(members);
}

function withoutTime(text: string): string {
  return times.reduce((rest, time) => rest.replaceAll(time, '<time>'), text);
}
