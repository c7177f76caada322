import path from 'node:path';
import { excerpt, type Issue, ToolkitError } from '../errors.ts';
import { isPlainObject } from '../schema/json.ts';
import { NameIndex } from '../schema/name-index.ts';
import { asked, didYouMean } from '../schema/nearest.ts';
import { LongWork } from '../time/long-work.ts';
import { attempt } from './attempt.ts';
import { checkProvider } from './check-provider.ts';
import { checkWritten, type Origin } from './check-written.ts';
import { isSecretName } from './credentials.ts';
import { FormKeys, type KeptDefinition, type ProviderForm, type ToolForm, warningsOf, withWarnings } from './kept-form.ts';
import { languageOf } from './language.ts';
import { type LinkOptions, linkTool } from './link.ts';
import { type KeptDerived, keyOfDerivation, LinkedTool } from './linked-tool.ts';
import { mended } from './mended.ts';
import { oneOfEachName, takenName } from './owners.ts';
import { ForeignSecrets, secretNaming } from './package-secrets.ts';
import { errorOf, type Problem, problemOf } from './problem.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { reporter } from './reporter.ts';
import type { Prompt, Resource, ResourceTemplate } from './resource.ts';
import { type ResourcesAndPrompts, ResourcesAndPromptsBuilder } from './resources-and-prompts.ts';
import type { Derivation, MaybeTool, Provider, Tool } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * What taps on `discover` get, to add tools, providers, skills, resources and prompts. Definitions need not be checked before: the kernel
 * checks each one, reports what is wrong with it as a problem, and loads the others.
 */
export interface DiscoverSink {
  /** True when modules of tools may have changed (`reload({ code: true })`): import them anew for the next call. @default false */
  readonly isCodeStale: boolean;
  /** Another text when a definition may mean something else: other execution types and keys, or other code of those that say their `fingerprint`. */
  readonly language: string;
  /**
   * Adds one tool definition, as it was written. `origin` says where (`file`) and by whom (`trust`, default `package`). `provider` names the
   * provider of the tool; without it, the nearest provider file above the tool's own is taken. Never throws.
   * @example kernel.hooks.discover.tap('my-tools', (sink) => sink.addTool(definition, { trust: 'operator' }));
   */
  addTool(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>, provider?: string): void;
  addProvider(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>): void;
  /** The same for a definition that was perhaps checked and linked before, which then is not done again. */
  addKept(kept: KeptDefinition, origin?: Partial<Omit<Origin, 'plugin'>>): void;
  /** Has what this makes of tools kept with them, so that `tool.derived` need not work it out at each start. */
  derive(derivation: Derivation): void;
  /** Calls `listener` when everything that was added is linked: no more is kept after it. */
  onLinked(listener: () => void): void;
  /** Replaces keys of a provider that some plugin adds, such as `base_url` for a private installation. */
  overrideProvider(name: string, definition: Partial<Omit<ProviderDefinition, 'provider'>>): void;
  /** `frontMatter` is that of a SKILL.md, `text` the whole file. */
  addSkill(frontMatter: unknown, text: string, origin?: Partial<Omit<Origin, 'plugin'>>): void;
  addResource(resource: Resource): void;
  addResourceTemplate(template: ResourceTemplate): void;
  addPrompt(prompt: Prompt): void;
  /** For a file that could not be read or parsed at all. */
  addProblem(problem: Omit<Problem, 'plugin'>): void;
}

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
    const tools = oneOfEachName('tool', found, problems).kept;
    const resourcesAndPrompts = this.#resourcesAndPrompts.build(problems);
    const kept = previous === undefined ? undefined : lastGood(previous, problems);
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

interface Registered extends ResourcesAndPrompts {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly problems: readonly Problem[];
}

/** The tools and providers of one moment, and what can be read beside them, in a stable order. A reload makes a new one. */
export class Registry implements Registered {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly skills: ResourcesAndPrompts['skills'];
  readonly resources: ResourcesAndPrompts['resources'];
  readonly resourceTemplates: ResourcesAndPrompts['resourceTemplates'];
  readonly prompts: ResourcesAndPrompts['prompts'];
  readonly problems: readonly Problem[];
  /** Names of the secret chain whose values may be seen: whoever needs them says so. */
  readonly openNames: ReadonlySet<string>;
  /** Names under which somebody may give the credential of a tool: what stands under one of them among parameters is no word of the call. */
  readonly secretNames: ReadonlySet<string>;

  /** Both are made when a tool is asked for that is not there. */
  #names: NameIndex | undefined;
  #refused: ReadonlyMap<string, readonly Problem[]> | undefined;

  constructor(registered: Partial<Registered> = {}) {
    this.tools = new Map([...(registered.tools ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.providers = registered.providers ?? new Map();
    this.skills = registered.skills ?? new Map();
    this.resources = registered.resources ?? new Map();
    this.resourceTemplates = registered.resourceTemplates ?? new Map();
    this.prompts = registered.prompts ?? new Map();
    this.problems = registered.problems ?? [];
    const needs = [...this.tools.values()].flatMap((tool) => tool.credentials);
    const secrets = new Set(needs.filter(({ isSecret }) => isSecret).map(({ secret }) => secret));
    this.secretNames = new Set(needs.flatMap(({ name, secret }) => [name, secret]).filter(isSecretName));
    const mapped = [...this.providers.values()].flatMap(({ definition }) => definition.parameter_mapping ?? []);
    const open = mapped.filter(({ secret }) => secret === false).map(({ env_pattern }) => env_pattern);
    this.openNames = new Set(open.filter((name) => !secrets.has(name) && !isSecretName(name)));
  }

  /** Throws TOOL_NOT_FOUND with the nearest names, or says why the definition of that name was refused. */
  get(name: string, isVisible: (tool: MaybeTool) => boolean = () => true): Tool {
    const tool = this.tools.get(name);
    if (tool !== undefined && isVisible(tool)) return tool;
    this.#refused ??= errorsOfTools(this.problems);
    const refused = tool === undefined && isVisible({ name }) ? this.#refused.get(name) : undefined;
    if (refused !== undefined) throw brokenTool(name, refused);
    this.#names ??= new NameIndex(this.tools.keys());
    const isKnown = (known: string): boolean => isVisible(this.tools.get(known) as Tool);
    const hint = asked(this.#names.nearest(name, isKnown)) || this.#adviceFor(isVisible);
    throw new ToolkitError('TOOL_NOT_FOUND', `There is no tool "${excerpt(name, 100)}".${hint}`, { tool: name });
  }

  #adviceFor(isVisible: (tool: MaybeTool) => boolean): string {
    for (const tool of this.tools.values()) if (isVisible(tool)) return ' List the tools to see their names.';
    return ' No tool is available.';
  }
}

/** By the tool, why its definition was refused. */
function errorsOfTools(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const errors = new Map<string, Problem[]>();
  for (const problem of problems)
    if (problem.tool !== undefined && problem.severity === 'error')
      errors.set(problem.tool, [...(errors.get(problem.tool) ?? []), problem]);
  return errors;
}

function brokenTool(name: string, [first, ...others]: readonly Problem[]): ToolkitError {
  const { code, message, details } = errorOf(first as Problem);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return new ToolkitError(
    code,
    `The definition of "${excerpt(name, 100)}" is broken, so there is no such tool: ${message}${more}`,
    details,
  );
}

function problemIn({ plugin, file, locate }: Origin, issue: Issue): Problem {
  return problemOf(issue, { severity: 'error', code: 'TOOL_INVALID', plugin, ...(file === undefined ? {} : { file }) }, locate);
}

/** Says more of a tool that would load; what is told is a warning. `pointer` (RFC 6901): a place in its definition. */
export type Advise = (tool: Tool, warn: (pointer: string, message: string) => void) => void;

/** What would be wrong with one more tool beside those of a registry. */
export function checkTool(
  definition: unknown,
  origin: Origin,
  registry: Registry,
  options: LinkOptions,
  advise?: Advise,
): readonly Problem[] {
  const problems: Problem[] = [];
  attempt(origin, problems, () => {
    const checked = checkWritten<ToolDefinition>(options.keys.toolSchema, definition, origin);
    problems.push(...checked.problems);
    const provider = providerOf({ origin }, registry.providers, foldersOf(registry.providers));
    if (checked.value === undefined) {
      problems.push(...furtherProblems(definition, checked.flaws, origin, provider, options));
      return;
    }
    const { tool, problems: found } = linkTool(checked.value, origin, provider, options);
    problems.push(...found);
    const twin = tool === undefined ? undefined : registry.tools.get(tool.name);
    if (tool !== undefined && twin !== undefined && twin.origin.file !== origin.file)
      problems.push(takenName('tool', tool.name, origin, twin.origin));
    if (tool === undefined || advise === undefined) return;
    const report = reporter(checked.value, origin);
    advise(tool, report.warning);
    problems.push(...report.problems);
  });
  return problems;
}

/** What is wrong beside what the schema of a definition refuses, so that nobody corrects one mistake after the other. */
function furtherProblems(
  written: unknown,
  flaws: readonly Issue[] | undefined,
  origin: Origin,
  provider: Provider | undefined,
  options: LinkOptions,
): readonly Problem[] {
  const rest = flaws === undefined ? undefined : mended<ToolDefinition>(options.keys.toolSchema, written, flaws, unsaid);
  if (rest === undefined) return [];
  return linkTool(rest, origin, provider, options).problems.map(({ tool: _tool, ...problem }) => named(problem, written));
}

/** Stands for what a tool must say. */
const unsaid = { name: 'unsaid', description: 'unsaid' };

/** So that a call of a tool that was refused can say why. */
function named(problem: Problem, definition: unknown): Problem {
  const name = isPlainObject(definition) ? definition['name'] : undefined;
  return typeof name === 'string' ? { ...problem, tool: name } : problem;
}

/** A header replaces one of the same name, whatever the case (RFC 9110, 5.1). */
function mergeHeaders(own: Readonly<Record<string, string>>, over: Readonly<Record<string, string>>): Record<string, string> {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))), ...over };
}

/** The providers by the folder of their file. */
function foldersOf(providers: ReadonlyMap<string, Provider>): ReadonlyMap<string, Provider> {
  const inFiles = [...providers.values()].flatMap((known) =>
    known.origin.file === undefined ? [] : [[known.origin.file, known] as const],
  );
  return new Map(inFiles.map(([file, known]) => [path.dirname(file), known]));
}

/** The named provider, or that of the nearest provider file above. A refused file hides those further up: its tools are not theirs. */
function providerOf(
  { provider, origin }: Pick<WrittenTool, 'provider' | 'origin'>,
  providers: ReadonlyMap<string, Provider>,
  folders: ReadonlyMap<string, Provider>,
  refusedFolders: ReadonlySet<string> = new Set(),
): Provider | undefined {
  if (provider !== undefined) return providers.get(provider);
  if (origin.file === undefined) return undefined;
  for (let folder = path.dirname(origin.file); ; folder = path.dirname(folder)) {
    const found = folders.get(folder);
    if (found !== undefined) return found;
    if (folder === path.dirname(folder) || refusedFolders.has(folder)) return undefined;
  }
}

/** What files that are broken now gave before. */
function lastGood(previous: Registry, problems: readonly Problem[]): Pick<Registered, 'tools' | 'skills'> {
  const broken = new Set(
    problems.filter(({ severity, code }) => severity === 'error' && code !== 'TOOL_DUPLICATE').map(({ file }) => file),
  );
  const isFromBroken = ([, { origin }]: readonly [string, { readonly origin: Origin }]): boolean =>
    origin.file !== undefined && broken.has(origin.file);
  return {
    tools: new Map([...previous.tools].filter(isFromBroken)),
    skills: new Map([...previous.skills].filter(isFromBroken)),
  };
}
