import { ToolkitError, toUrl } from '../../../kernel/index.ts';

interface RobotsData {
  readonly text: string;
  /** Address of the robots.txt. */
  readonly place: string;
  readonly user_agent: string;
  /** Address to check. */
  readonly asked?: string;
}

export interface RobotsRules {
  readonly rules: readonly Rule[];
  readonly sitemaps: readonly string[];
  readonly allowed: boolean | null;
}

interface Rule {
  readonly user_agent: string;
  readonly type: 'allow' | 'disallow';
  readonly path: string;
}

/** Rules for the crawlers that are named before them (RFC 9309, 2.2.1). */
interface Group {
  /** Names as written, by product token. */
  readonly agents: Map<string, string>;
  readonly rules: Omit<Rule, 'user_agent'>[];
}

/** Maximum number of rules. A small file can name many crawlers before many rules. */
const maxRules = 20_000;

/** Parses a robots.txt. Runs in a child process, because patterns with many stars take long. Throws OUTPUT_TOO_LARGE. */
export async function robotsRules({ text, place, user_agent: wanted, asked }: RobotsData): Promise<RobotsRules> {
  const { groups, sitemaps } = groupsIn(text);
  const rules = groupsFor(groups, productOf(wanted));
  return {
    rules: wanted === '*' ? expanded(groups) : rules,
    sitemaps,
    allowed: asked === undefined ? null : await isAllowed(asked, place, rules),
  };
}

function groupsIn(text: string): { readonly groups: readonly Group[]; readonly sitemaps: readonly string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', written = ''] = /^\s*([a-z-]+)\s*:([^#]*)/i.exec(line) ?? [];
    const name = field.toLowerCase();
    const value = written.trim();
    if (name === 'user-agent') {
      if (group === undefined || group.rules.length > 0) {
        group = { agents: new Map(), rules: [] };
        groups.push(group);
      }
      // A product token has no space (RFC 9309, 2.2.1): text after a space is a remark.
      group.agents.set(productOf(value.split(/\s/, 1)[0] ?? ''), value);
    } else if (name === 'allow' || name === 'disallow') group?.rules.push({ type: name, path: value });
    // Other lines do not end a group (RFC 9309, 2.2.4).
    else if (name === 'sitemap' && value !== '') sitemaps.push(value);
  }
  return { groups, sitemaps };
}

/** Returns the rules of all groups for this crawler; when no group names it, those for all. */
function groupsFor(groups: readonly Group[], product: string): Rule[] {
  const own = groups.filter(({ agents }) => agents.has(product));
  const chosen = own.length > 0 || product === '*' ? own : groupsOfAll(groups);
  const name = own.length > 0 ? product : '*';
  return chosen.flatMap(({ agents, rules }) => rules.map((rule) => ({ user_agent: agents.get(name) ?? name, ...rule })));
}

function groupsOfAll(groups: readonly Group[]): readonly Group[] {
  return groups.filter(({ agents }) => agents.has('*'));
}

function expanded(groups: readonly Group[]): Rule[] {
  const count = groups.reduce((sum, { agents, rules }) => sum + agents.size * rules.length, 0);
  if (count > maxRules)
    throw new ToolkitError(
      'OUTPUT_TOO_LARGE',
      `The robots.txt has ${count} rules, of which at most ${maxRules} can be given. Ask for those of one crawler with "user_agent".`,
    );
  return groups.flatMap(({ agents, rules }) =>
    rules.flatMap((rule) => Array.from(agents.values(), (agent) => ({ user_agent: agent, ...rule }))),
  );
}

/**
 * Returns true when the address may be fetched. The longest pattern decides (RFC 9309, 2.2.2). The robots.txt itself is always
 * allowed.
 */
async function isAllowed(asked: string, place: string, rules: readonly Rule[]): Promise<boolean> {
  if (toUrl(asked).pathname === toUrl(place).pathname) return true;
  const { default: parse } = await import('robots-parser');
  const lines = rules.map(({ type, path }) => `${type}: ${withoutNeedlessEscapes(path)}`);
  const robots = (parse as unknown as (url: string, text: string) => { isAllowed(url: string): boolean | undefined })(
    place,
    ['User-agent: *', ...lines].join('\n'),
  );
  return robots.isAllowed(withoutNeedlessEscapes(asked)) ?? true;
}

/** Decodes escapes of letters, digits and -._~, which mean the same with and without (RFC 3986, 6.2.2.2). */
function withoutNeedlessEscapes(address: string): string {
  return address.replace(/%[2-7][0-9a-f]/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : written;
  });
}

/** Returns the product token of a crawler: `Bot/2.1` and `Bot (+https://…)` are `bot`. */
function productOf(userAgent: string): string {
  return (userAgent.split(/\/|\(/, 1)[0] ?? '').trim().toLowerCase();
}
