import { ownerOfNames } from '../definition/registry/namespace.ts';
import { precedenceOf } from '../definition/registry/owners.ts';
import { Registry } from '../definition/registry/registry.ts';
import type { WithheldItem } from '../definition/registry/withheld-item.ts';
import type { Origin } from '../definition/schema/origin.ts';
import type { Problem } from '../definition/schema/problem.ts';
import { excerpt, ToolkitError } from '../errors.ts';
import type { readableOf } from './link-source.ts';
import type { LinkedSource } from './linked-source.ts';

/** The part of one source in a registry. */
export interface SourcePart {
  readonly name: string;
  readonly plugin: string;
  readonly linked: LinkedSource;
  readonly readable: ReturnType<typeof readableOf>;
  /** Problems of the listing and of withheld changes. */
  readonly problems: readonly Problem[];
  /** Withheld tools, by name. */
  readonly withheld: ReadonlyMap<string, WithheldItem>;
}

interface NamedEntry {
  readonly name: string;
  readonly origin: Origin;
}

/** Throws PLUGIN_INVALID when this program, the operator or a package uses a name in the namespace of a source. */
export function refuseTakenNamespaces(base: Registry, sources: readonly Pick<SourcePart, 'name' | 'plugin'>[]): void {
  const sourceOf = ownerOfNames(sources);
  const refuse = (kind: string, things: Iterable<NamedEntry>): void => {
    for (const { name, origin } of things) {
      const source = precedenceOf(origin) < 3 ? sourceOf(name) : undefined;
      if (source === undefined) continue;
      const { plugin } = source;
      const message = `Plugin "${plugin}" adds the source "${source.name}", and the ${kind} "${name}" of ${locationOf(origin)} has a name that only this source could have. Give the source another name.`;
      throw new ToolkitError('PLUGIN_INVALID', message, { plugin });
    }
  };
  if (sources.length === 0) return;
  refuse('provider', base.providers.values());
  refuse('tool', base.tools.values());
}

/**
 * Joins the tools of plugins and sources. A name in a source's namespace is dropped if a plugin or a package added it later; one of this program
 * or the operator stays. A URI in use stays with its owner; a URI of two sources is dropped from both.
 */
export function joinSources(base: Registry, parts: readonly SourcePart[]): Registry {
  const problems: Problem[] = [...base.problems];
  const sourceOf = ownerOfNames(parts);
  const outside = <T extends NamedEntry>(kind: string, things: ReadonlyMap<string, T>): Map<string, T> => {
    const kept = new Map<string, T>();
    for (const [name, thing] of things) {
      const source = sourceOf(name);
      if (source !== undefined) problems.push(inNamespace(kind, thing, source));
      if (source === undefined || precedenceOf(thing.origin) < 2) kept.set(name, thing);
    }
    return kept;
  };
  const tools = outside('tool', base.tools);
  const providers = outside('provider', base.providers);
  const prompts = new Map(base.prompts);
  const add = <T extends object>(kind: string, to: Map<string, T>, from: ReadonlyMap<string, T>, { name, plugin }: SourcePart): void => {
    for (const [key, thing] of from) {
      if (!to.has(key)) to.set(key, thing);
      else
        problems.push(
          problemOf(
            plugin,
            `the ${kind} "${excerpt(key, 100)}" of the source "${name}" is not used: ${ownerOf(to.get(key))} has that name`,
          ),
        );
    }
  };
  for (const part of parts) {
    add('tool', tools, part.linked.tools, part);
    add('provider', providers, part.linked.providers, part);
    add('prompt', prompts, part.readable.prompts, part);
    problems.push(...part.linked.problems, ...part.readable.problems, ...part.problems);
  }
  const resources = mergeByUri('resource', base.resources, parts, (part) => part.readable.resources, problems);
  const resourceTemplates = mergeByUri(
    'resource template',
    base.resourceTemplates,
    parts,
    (part) => part.readable.resourceTemplates,
    problems,
  );
  return new Registry({
    tools: new Map([...tools, ...base.companions]),
    providers,
    presets: base.presets,
    prompts: sorted(prompts),
    skills: base.skills,
    resources,
    resourceTemplates,
    problems,
    opened: base.opened,
    pinned: base.pinned,
    unseen: base.unseen,
    derivations: base.derivations,
    withheld: new Map(parts.flatMap((part) => [...part.withheld])),
    sources: parts.map(({ name }) => name),
  });
}

/** Merges items by URI: they have no namespace. */
function mergeByUri<T extends object>(
  kind: string,
  base: ReadonlyMap<string, T>,
  parts: readonly SourcePart[],
  of: (part: SourcePart) => ReadonlyMap<string, T>,
  problems: Problem[],
): ReadonlyMap<string, T> {
  const claims = new Map<string, SourcePart[]>();
  for (const part of parts) for (const uri of of(part).keys()) claims.set(uri, [...(claims.get(uri) ?? []), part]);
  const all = new Map(base);
  for (const [uri, [first, ...others]] of claims) {
    if (first === undefined) continue;
    const thing = of(first).get(uri) as T;
    const shown = `the ${kind} "${excerpt(uri, 100)}"`;
    if (base.has(uri))
      problems.push(problemOf(first.plugin, `${shown} of the source "${first.name}" is not used: ${ownerOf(base.get(uri))} has that URI`));
    else if (others.length === 0) all.set(uri, thing);
    else {
      const names = [first, ...others].map(({ name }) => `"${name}"`).join(' and ');
      problems.push(problemOf(first.plugin, `${shown} is listed by the sources ${names}: none of them is used`));
    }
  }
  return sorted(all);
}

function sorted<T>(things: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...things].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inNamespace(kind: string, { name, origin }: NamedEntry, source: SourcePart): Problem {
  const isKept = precedenceOf(origin) < 2;
  const end = isKept ? 'Rename one of the two: the next start is refused' : 'It is not used. Give it another name';
  const message = `the ${kind} "${name}" of ${locationOf(origin)} has a name that only the source "${source.name}" of plugin "${source.plugin}" may have. ${end}`;
  return { ...problemOf(origin.plugin, message), code: 'TOOL_DUPLICATE', ...(kind === 'tool' && !isKept ? { tool: name } : {}) };
}

function problemOf(plugin: string, message: string): Problem {
  return { severity: 'error', code: 'TOOL_DUPLICATE', plugin, message };
}

function ownerOf(thing: object | undefined): string {
  const { origin, source, plugin } = (thing ?? {}) as { origin?: Origin; source?: string; plugin?: string };
  if (origin !== undefined) return locationOf(origin);
  return source === undefined ? `plugin "${plugin ?? 'another'}"` : `the source "${source}"`;
}

function locationOf({ file, plugin, package: owner, isBuiltIn = false }: Origin): string {
  if (isBuiltIn) return 'this program';
  if (owner !== undefined) return `the package "${owner.name}"`;
  return file ?? `plugin "${plugin}"`;
}
