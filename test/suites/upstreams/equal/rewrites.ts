import type { Json, Outcome } from './recorded-client.ts';

/** The prefix of the names of tools and prompts. */
export const prefix = 'srv_';

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
    logs: logs.map(plain),
    questions: questions.map((question) => plain(question)),
  };
}

function withoutPrefix(answer: Json): Json {
  const { tools, prompts } = answer;
  const renamed = (list: unknown): unknown => {
    if (!Array.isArray(list)) return list;
    const own = (list as { readonly name: string }[]).filter(({ name }) => !name.startsWith('toolkit_'));
    const items = own.map((item) => ({ ...item, name: item.name.replace(prefix, '') }));
    // A list of several servers is sorted by the whole names.
    return items.sort((one, other) => (one.name < other.name ? -1 : 1));
  };
  return {
    ...answer,
    ...(tools === undefined ? {} : { tools: renamed(tools) }),
    ...(prompts === undefined ? {} : { prompts: renamed(prompts) }),
  };
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
      ([key]) => !key.startsWith('toolkit/') && !key.startsWith('io.modelcontextprotocol/'),
    );
    return meta.length === 0 ? [] : [[name, plain(Object.fromEntries(meta))]];
  });
  return Object.fromEntries(members);
}

function withoutTime(text: string): string {
  return times.reduce((rest, time) => rest.replaceAll(time, '<time>'), text);
}
