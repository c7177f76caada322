import { excerpt } from '../../errors.ts';
import type { MaybePromise } from '../../time/maybe-promise.ts';
import { Registry } from './registry.ts';
import type { WithheldItem } from './withheld-item.ts';

/**
 * Finds the items of a new registry that must not be served. `reads`: what was read of the code's files, for `tool.pinned`; the code of what is served
 * is then read once, and is the code that was compared.
 */
export type FindWithheld = (registry: Registry, reads: Map<string, unknown>) => MaybePromise<readonly WithheldItem[]>;

/** The finders of plugins (`extend.withhold`), each with its plugin. */
export type Withholders = readonly { readonly plugin: string; readonly find: FindWithheld }[];

/** Returns the registry without the items that plugins withhold; each becomes a warning. The same registry when there is none. */
export async function withhold(registry: Registry, withholders: Withholders, reads: Map<string, unknown>): Promise<Registry> {
  let left = registry;
  for (const { plugin, find } of withholders) {
    const items = await find(left, reads);
    if (items.length > 0) left = without(left, items, plugin);
  }
  return left;
}

function without(registry: Registry, items: readonly WithheldItem[], plugin: string): Registry {
  const named = (kind: WithheldItem['kind']): ReadonlyMap<string, WithheldItem> =>
    new Map(items.filter((item) => item.kind === kind).map((item) => [item.name, item]));
  const [tools, skills] = [named('tool'), named('skill')];
  const unlisted = <T>(all: ReadonlyMap<string, T>, names: ReadonlyMap<string, unknown>): ReadonlyMap<string, T> =>
    names.size === 0 ? all : new Map([...all].filter(([name]) => !names.has(name)));
  const problems = items.map(({ kind, name, how, acceptedBy }) => ({
    severity: 'warning' as const,
    code: 'APPROVAL_REQUIRED' as const,
    plugin,
    message: `the ${kind} "${excerpt(name, 100)}" ${how}: it is withheld until a person accepts it (${acceptedBy})`,
  }));
  return new Registry({
    ...registry,
    tools: new Map([...unlisted(registry.tools, tools), ...registry.companions]),
    skills: unlisted(registry.skills, skills),
    problems: [...registry.problems, ...problems],
    withheld: new Map([...registry.withheld, ...tools]),
    withheldSkills: new Map([...registry.withheldSkills, ...skills]),
  });
}
