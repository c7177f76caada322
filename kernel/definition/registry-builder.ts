import path from 'node:path';
import type { Issue } from '../errors.ts';
import { didYouMean } from '../schema/nearest.ts';
import { LongWork } from '../time/long-work.ts';
import { attempt } from './attempt.ts';
import { checkProvider } from './check-provider.ts';
import { checkWritten, type Origin } from './check-written.ts';
import type { DiscoverSink } from './discover-sink.ts';
import { furtherProblems, named } from './further-problems.ts';
import { FormKeys, type KeptDefinition, type ProviderForm, type ToolForm, warningsOf, withWarnings } from './kept-form.ts';
import { languageOf } from './language.ts';
import { type LinkOptions, linkTool } from './link.ts';
import { type KeptDerived, keyOfDerivation, LinkedTool } from './linked-tool.ts';
import { oneOfEachName } from './owners.ts';
import { ForeignSecrets, secretNaming } from './package-secrets.ts';
import { type Problem, problemOf } from './problem.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { Registry } from './registry.ts';
import { ResourcesAndPromptsBuilder } from './resources-and-prompts.ts';
import type { Derivation, Provider } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { foldersOf, providerOf } from './tool-provider.ts';

interface Written {
  readonly definition: () => unknown;
  readonly origin: Origin;
  readonly kept?: KeptDefinition;
}

interface WrittenTool extends Written {
  readonly provider?: string;
}

/** Collects what plugins discover and turns it into a registry. */
export class RegistryBuilder {
  readonly #tools: WrittenTool[] = [];
  readonly #providers: Written[] = [];
  readonly #overrides: { name: string; definition: Partial<ProviderDefinition>; plugin: string }[] = [];
  readonly #problems: Problem[] = [];
  readonly #resourcesAndPrompts = new ResourcesAndPromptsBuilder();
  readonly #listeners: (() => void)[] = [];
  readonly #derivations = new Map<string, Derivation>();
  readonly #options: LinkOptions;
  readonly #isCodeStale: boolean;
  readonly #keys = new FormKeys();
  readonly #language: string;

  constructor(options: LinkOptions, isCodeStale = false) {
    this.#options = options;
    this.#isCodeStale = isCodeStale;
    this.#language = languageOf(options);
  }

  /** The sink of one plugin: everything added through it is attributed to that plugin. */
  sinkOf(plugin: string): DiscoverSink {
    const complete = (origin: Partial<Omit<Origin, 'plugin'>> = {}): Origin => ({ trust: 'package', ...origin, plugin });
    return {
      isCodeStale: this.#isCodeStale,
      language: this.#language,
      addTool: (definition, origin, provider) =>
        this.#tools.push({ definition: () => definition, origin: complete(origin), ...(provider === undefined ? {} : { provider }) }),
      addProvider: (definition, origin) => this.#providers.push({ definition: () => definition, origin: complete(origin) }),
      addKept: (kept, origin) => {
        const written = { definition: () => kept.definition(), origin: complete(origin), kept };
        if (kept.kind === 'tool') this.#tools.push(written);
        else this.#providers.push(written);
      },
      derive: (derivation) => {
        const key = keyOfDerivation(derivation);
        if (key !== undefined) this.#derivations.set(key, derivation);
      },
      onLinked: (listener) => this.#listeners.push(listener),
      overrideProvider: (name, definition) => this.#overrides.push({ name, definition, plugin }),
      addSkill: (frontMatter, text, origin) => this.#resourcesAndPrompts.addSkill(frontMatter, text, complete(origin)),
      addResource: (resource) => this.#resourcesAndPrompts.addResource(resource, plugin),
      addResourceTemplate: (template) => this.#resourcesAndPrompts.addResourceTemplate(template, plugin),
      addPrompt: (prompt) => this.#resourcesAndPrompts.addPrompt(prompt, plugin),
      addProblem: (problem) => this.#problems.push({ ...problem, plugin }),
    };
  }

  async build(previous?: Registry): Promise<Registry> {
    const work = new LongWork();
    const problems = [...this.#problems];
    const refusedFolders = new Set<string>();
    const providers = this.#buildProviders(problems, refusedFolders);
    const found: LinkedTool[] = [];
    const folders = foldersOf(providers);
    const secrets = new ForeignSecrets(providers.keys());
    for (const written of this.#tools) {
      if (work.isDue) await work.rest();
      attempt(written.origin, problems, () => {
        const provider = providerOf(written, providers, folders, refusedFolders);
        const tool = this.#keptTool(written, provider, problems) ?? this.#linkedTool(written, provider, problems);
        const foreign = tool === undefined ? [] : secrets.of(tool);
        problems.push(...foreign);
        if (tool !== undefined && foreign.length === 0) found.push(tool);
      });
    }
    for (const listener of this.#listeners) listener();
    await work.rest();
    const tools = oneOfEachName('tool', found, problems).kept;
    const resourcesAndPrompts = this.#resourcesAndPrompts.build(problems);
    const kept = previous === undefined ? undefined : lastGood(previous, problems);
    await work.rest();
    return new Registry({
      ...resourcesAndPrompts,
      tools: new Map([...(kept?.tools ?? []), ...tools]),
      skills: new Map([...(kept?.skills ?? []), ...resourcesAndPrompts.skills]),
      providers,
      problems,
    });
  }

  /** Undefined where none is kept, or where a file that it names is not there any more. */
  #keptTool({ kept, origin }: Written, provider: Provider | undefined, problems: Problem[]): LinkedTool | undefined {
    const form = kept?.read(this.#keys.of(origin, provider)) as ToolForm | undefined;
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

  #linkedTool({ kept, origin, definition }: Written, provider: Provider | undefined, problems: Problem[]): LinkedTool | undefined {
    const written = definition();
    const checked = checkWritten<ToolDefinition>(this.#options.keys.toolSchema, written, origin);
    const told = checked.problems.map((problem) => named(problem, written));
    problems.push(...told);
    if (checked.value === undefined) {
      problems.push(...furtherProblems(written, checked.flaws, origin, provider, this.#options));
      return undefined;
    }
    const { tool, form, problems: more } = linkTool(checked.value, origin, provider, this.#options);
    const naming = tool === undefined ? [] : secretNaming(tool);
    problems.push(...more, ...naming);
    if (tool === undefined || naming.length > 0) return undefined;
    if (form !== undefined && kept !== undefined) {
      const derivations = [...this.#derivations];
      const made = (isSmall: boolean): KeptDerived =>
        Object.fromEntries(derivations.flatMap(([key, one]) => ((one.isSmall ?? false) === isSmall ? [[key, one.of(tool)]] : [])));
      const head = {
        ...form.head,
        hash: tool.hash,
        ...(derivations.length === 0 ? {} : { derived: [...this.#derivations.keys()], small: made(true) }),
      };
      const derived = (): KeptDerived => made(false);
      kept.keep(this.#keys.of(origin, provider), withWarnings({ ...form, head, derived }, [...told, ...more]));
    }
    return tool;
  }

  #keptProvider({ kept, origin }: Written, problems: Problem[]): Provider | undefined {
    const form = kept?.read(this.#keys.of(origin, undefined)) as ProviderForm | undefined;
    if (form === undefined) return undefined;
    problems.push(...warningsOf(form, origin));
    return { name: form.head.name, definition: form.body(), origin };
  }

  #checkedProvider({ kept, origin, definition }: Written, problems: Problem[]): Provider | undefined {
    const { keys } = this.#options;
    const { value, problems: told } = checkWritten<ProviderDefinition>(keys.providerSchema, definition(), origin);
    const wrong = value === undefined ? [] : checkProvider(value).map((issue) => problemIn(origin, issue));
    problems.push(...told, ...wrong);
    if (value === undefined || wrong.length > 0) return undefined;
    const { name } = value.provider;
    if (keys.isEachNamed(value)) kept?.keep(this.#keys.of(origin, undefined), withWarnings({ head: { name }, body: () => value }, told));
    return { name, definition: value, origin };
  }

  #buildProviders(problems: Problem[], refusedFolders: Set<string>): Map<string, Provider> {
    const found: Provider[] = [];
    for (const written of this.#providers) {
      const { origin } = written;
      const before = found.length;
      attempt(origin, problems, () => {
        const provider = this.#keptProvider(written, problems) ?? this.#checkedProvider(written, problems);
        if (provider !== undefined) found.push(provider);
      });
      if (found.length === before && origin.file !== undefined) refusedFolders.add(path.dirname(origin.file));
    }
    const { kept: providers, contested } = oneOfEachName('provider', found, problems);
    for (const { origin } of contested) if (origin.file !== undefined) refusedFolders.add(path.dirname(origin.file));
    for (const { name, definition, plugin } of this.#overrides) {
      const provider = providers.get(name);
      if (provider === undefined) {
        const message = `there is no provider "${name}" to override.${didYouMean(name, providers.keys())}`;
        problems.push({ severity: 'error', code: 'CONFIG_INVALID', plugin, message });
        continue;
      }
      const origin: Origin = definition.base_url === undefined ? provider.origin : { ...provider.origin, trust: 'operator' };
      const headers = mergeHeaders(provider.definition.headers ?? {}, definition.headers ?? {});
      providers.set(name, { ...provider, origin, definition: { ...provider.definition, ...definition, headers } });
    }
    return providers;
  }
}

function problemIn({ plugin, file, locate }: Origin, issue: Issue): Problem {
  return problemOf(issue, { severity: 'error', code: 'TOOL_INVALID', plugin, ...(file === undefined ? {} : { file }) }, locate);
}

/** A header replaces one of the same name, whatever the case (RFC 9110, 5.1). */
function mergeHeaders(own: Readonly<Record<string, string>>, over: Readonly<Record<string, string>>): Record<string, string> {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))), ...over };
}

/** What files that are broken now gave before. */
function lastGood(previous: Registry, problems: readonly Problem[]): Pick<Registry, 'tools' | 'skills'> {
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
