import path from 'node:path';
import { LongWork } from '../../time/long-work.ts';
import { LinkCacheKeys, type ProviderLinkResult, warningsOf, withWarnings } from '../cache/link-cache.ts';
import { schemaVersionOf } from '../cache/schema-version.ts';
import { attempt } from '../check/attempt.ts';
import { checkDefinition } from '../check/check-definition.ts';
import { checkProvider } from '../check/check-provider.ts';
import { type LinkOptions, linkTool } from '../link/link.ts';
import type { ToolLinkResult } from '../link/link-result.ts';
import { type CachedDerivation, keyOfDerivation, LinkedTool } from '../link/linked-tool.ts';
import { named, remainingProblems } from '../link/remaining-problems.ts';
import { ResourcesAndPromptsBuilder } from '../resources/resources-and-prompts.ts';
import type { Origin } from '../schema/origin.ts';
import { type Problem, problemIn } from '../schema/problem.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import type { Derivation, Provider } from '../schema/tool.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { type ContributedDefinition, Contribution } from './contribution.ts';
import { withOverride } from './override-provider.ts';
import { oneOfEachName } from './owners.ts';
import { ForeignSecrets, secretNaming } from './package-secrets.ts';
import { Registry } from './registry.ts';
import { foldersOf, providerOf } from './tool-provider.ts';

/** Collects the additions of plugins and builds a registry. */
export class RegistryBuilder {
  readonly #contributions: Contribution[] = [];
  readonly #derivations = new Map<string, Derivation>();
  readonly #options: LinkOptions;
  readonly #isCodeStale: boolean;
  readonly #isShown: boolean;
  readonly #keys = new LinkCacheKeys();
  readonly #schemaVersion: string;

  constructor(options: LinkOptions, isCodeStale = false, isShown = false) {
    this.#options = options;
    this.#isCodeStale = isCodeStale;
    this.#isShown = isShown;
    this.#schemaVersion = schemaVersionOf(options);
  }

  /** Creates the contribution of one tap or source. It is not part of the registry before `take`. */
  contribution(): Contribution {
    return new Contribution({ isCodeStale: this.#isCodeStale, isShown: this.#isShown, schemaVersion: this.#schemaVersion });
  }

  /** Adds a contribution. Later additions to it are dropped. */
  take(contribution: Contribution): void {
    contribution.end();
    this.#contributions.push(contribution);
    for (const derivation of contribution.derivations) {
      const key = keyOfDerivation(derivation);
      if (key !== undefined) this.#derivations.set(key, derivation);
    }
  }

  /** Builds the registry. `previous`: its tools stay for invalid files and for plugins that failed. */
  async build(previous?: Registry): Promise<Registry> {
    const work = new LongWork();
    const problems = this.#contributions.flatMap((contribution) => contribution.problems);
    const failed = new Set(this.#contributions.filter(({ hasFailed }) => hasFailed).map(({ plugin }) => plugin));
    const before = failed.size === 0 ? undefined : previous;
    const isOfFailed = ({ origin }: { readonly origin: Origin }): boolean => failed.has(origin.plugin);
    const refusedFolders = new Set<string>();
    const former = [...(before?.providers.values() ?? []), ...(before?.presets.values() ?? [])].filter(isOfFailed);
    const { providers, presets } = this.#buildProviders(problems, refusedFolders, former);
    const found: LinkedTool[] = [];
    const folders = foldersOf(providers);
    const secrets = new ForeignSecrets(providers.keys());
    for (const [name, provider] of providers) {
      const foreign = secrets.ofLogin(provider);
      problems.push(...foreign);
      if (foreign.length > 0) providers.set(name, withoutLogin(provider));
    }
    for (const contributed of this.#contributions.flatMap(({ tools }) => tools)) {
      if (work.isDue) await work.yieldToEventLoop();
      attempt(contributed.origin, problems, () => {
        const provider = providerOf(contributed, providers, folders, refusedFolders);
        const tool = this.#cachedTool(contributed, provider, problems) ?? this.#linkedTool(contributed, provider, problems);
        const foreign = tool === undefined ? [] : secrets.of(tool);
        problems.push(...foreign);
        if (tool !== undefined && foreign.length === 0) found.push(tool);
      });
    }
    for (const { listeners } of this.#contributions) for (const listener of listeners) listener();
    await work.yieldToEventLoop();
    const ofFailed = [...(before?.tools.values() ?? [])].filter(isOfFailed);
    const tools = oneOfEachName('tool', withCached(ofFailed, found), problems).kept;
    const skills = [...(before?.skills ?? [])].filter(([, skill]) => isOfFailed(skill));
    const others = new ResourcesAndPromptsBuilder();
    for (const contribution of this.#contributions) contribution.addOthersTo(others);
    const resourcesAndPrompts = others.build(problems);
    const kept = previous === undefined ? undefined : lastValid(previous, problems);
    await work.yieldToEventLoop();
    return new Registry({
      ...resourcesAndPrompts,
      tools: new Map([...(kept?.tools ?? []), ...tools]),
      skills: new Map([...(kept?.skills ?? []), ...skills, ...resourcesAndPrompts.skills]),
      providers,
      presets,
      problems,
      opened: [...new Set(this.#contributions.flatMap(({ opened }) => opened))],
      pinned: this.#contributions.flatMap(({ pinned }) => pinned),
      unseen: this.#contributions.flatMap(({ unseen }) => unseen),
      derivations: [...this.#derivations.values()],
    });
  }

  /** Returns the tool of a cached link result; undefined without one, or when a file that it names is missing. */
  #cachedTool(
    { cached: kept, origin }: ContributedDefinition,
    provider: Provider | undefined,
    problems: Problem[],
  ): LinkedTool | undefined {
    const form = kept?.read(this.#keys.keyOf(origin, provider)) as ToolLinkResult | undefined;
    if (form === undefined) return undefined;
    const { execution, derived = [] } = form.head;
    if (![...this.#derivations.keys()].every((key) => derived.includes(key))) return undefined;
    const type = execution === undefined ? undefined : this.#options.executionTypes.get(execution.type);
    if (execution !== undefined && (type?.checkFiles?.(execution, origin) ?? []).length > 0) return undefined;
    problems.push(...warningsOf(form, origin));
    return new LinkedTool(
      form.head,
      () => form.body(),
      origin,
      provider,
      () => form.derived?.() ?? {},
    );
  }

  #linkedTool(
    { cached: kept, origin, definition }: ContributedDefinition,
    provider: Provider | undefined,
    problems: Problem[],
  ): LinkedTool | undefined {
    const written = definition();
    const checked = checkDefinition<ToolDefinition>(this.#options.keys.toolSchema, written, origin);
    const reported = checked.problems.map((problem) => named(problem, written));
    problems.push(...reported);
    if (checked.value === undefined) {
      problems.push(...remainingProblems(written, checked.issues, origin, provider, this.#options));
      return undefined;
    }
    const { tool, form, problems: more } = linkTool(checked.value, origin, provider, this.#options);
    const naming = tool === undefined ? [] : secretNaming(tool);
    problems.push(...more, ...naming);
    if (tool === undefined || naming.length > 0) return undefined;
    if (form !== undefined && kept !== undefined) {
      const derivations = [...this.#derivations];
      const made = (isSmall: boolean): CachedDerivation =>
        Object.fromEntries(derivations.flatMap(([key, one]) => ((one.isSmall ?? false) === isSmall ? [[key, one.of(tool)]] : [])));
      const head = {
        ...form.head,
        hash: tool.hash,
        ...(derivations.length === 0 ? {} : { derived: [...this.#derivations.keys()], small: made(true) }),
      };
      const derived = (): CachedDerivation => made(false);
      kept.store(this.#keys.keyOf(origin, provider), withWarnings({ ...form, head, derived }, [...reported, ...more]));
    }
    return tool;
  }

  #cachedProvider({ cached: kept, origin }: ContributedDefinition, problems: Problem[]): Provider | undefined {
    const form = kept?.read(this.#keys.keyOf(origin, undefined)) as ProviderLinkResult | undefined;
    if (form === undefined) return undefined;
    problems.push(...warningsOf(form, origin));
    return { name: form.head.name, definition: form.body(), origin };
  }

  #checkedProvider({ cached: kept, origin, definition }: ContributedDefinition, problems: Problem[]): Provider | undefined {
    const { keys } = this.#options;
    const { value, problems: reported } = checkDefinition<ProviderDefinition>(keys.providerSchema, definition(), origin);
    const issues = value === undefined ? [] : checkProvider(value).map((issue) => problemIn(origin, issue));
    problems.push(...reported, ...issues);
    if (value === undefined || issues.length > 0) return undefined;
    const { name } = value.provider;
    if (keys.areAllKnown(value))
      kept?.store(this.#keys.keyOf(origin, undefined), withWarnings({ head: { name }, body: () => value }, reported));
    return { name, definition: value, origin };
  }

  #buildProviders(
    problems: Problem[],
    refusedFolders: Set<string>,
    kept: readonly Provider[],
  ): Record<'providers' | 'presets', Map<string, Provider>> {
    const found: Provider[] = [];
    for (const written of this.#contributions.flatMap((contribution) => contribution.providers)) {
      const { origin } = written;
      const before = found.length;
      attempt(origin, problems, () => {
        const provider = this.#cachedProvider(written, problems) ?? this.#checkedProvider(written, problems);
        if (provider !== undefined) found.push(provider);
      });
      if (found.length === before && origin.file !== undefined) refusedFolders.add(path.dirname(origin.file));
    }
    const all = withCached(kept, found);
    const presets = new Map(all.filter(isPreset).map((provider) => [provider.name, provider]));
    const others = all.filter((provider) => !isPreset(provider));
    const { kept: providers, contested } = oneOfEachName('provider', others, problems);
    for (const { origin } of contested) if (origin.file !== undefined) refusedFolders.add(path.dirname(origin.file));
    for (const override of this.#contributions.flatMap(({ overrides }) => overrides)) {
      const result = withOverride(override, new Map([...presets, ...providers]), this.#options.keys.providerSchema);
      if ('problems' in result) problems.push(...result.problems);
      else (isPreset(result) ? presets : providers).set(result.name, result);
    }
    return { providers, presets };
  }
}

function isPreset({ origin }: Provider): boolean {
  return origin.isPreset === true;
}

/** Returns the provider without `oauth2`: its tools stay usable. */
function withoutLogin({ definition: { oauth2: _oauth2, ...definition }, ...provider }: Provider): Provider {
  return { ...provider, definition };
}

/** Returns the previous tools and skills of files that are invalid now. */
function lastValid(previous: Registry, problems: readonly Problem[]): Pick<Registry, 'tools' | 'skills'> {
  const broken = new Set(
    problems.filter(({ severity, code }) => severity === 'error' && code !== 'TOOL_DUPLICATE').map(({ file }) => file),
  );
  if (broken.size === 0) return { tools: new Map(), skills: new Map() };
  const isFromBroken = ([, { origin }]: readonly [string, { readonly origin: Origin }]): boolean =>
    origin.file !== undefined && broken.has(origin.file);
  return {
    tools: new Map([...previous.tools].filter(isFromBroken)),
    skills: new Map([...previous.skills].filter(isFromBroken)),
  };
}

/** Adds the previous definitions of failed plugins, before the new ones. A new definition of the same name from another tap replaces one. */
function withCached<T extends { readonly name: string; readonly origin: Origin }>(kept: readonly T[], found: readonly T[]): readonly T[] {
  if (kept.length === 0) return found;
  const keyOf = ({ name, origin }: T): string => `${origin.plugin} ${name}`;
  const fresh = new Set(found.map(keyOf));
  return [...kept.filter((one) => !fresh.has(keyOf(one))), ...found];
}
