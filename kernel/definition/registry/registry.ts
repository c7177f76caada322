import { excerpt, ToolkitError } from '../../errors.ts';
import { NameIndex } from '../../schema/name-index.ts';
import { suggestionText } from '../../schema/nearest.ts';
import type { LinkedTool } from '../link/linked-tool.ts';
import type { ResourcesAndPrompts } from '../resources/resources-and-prompts.ts';
import { isSecretName } from '../schema/credentials.ts';
import type { CodeFile } from '../schema/pinned-code.ts';
import { errorOf, type Problem } from '../schema/problem.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import { placeholdersIn } from '../schema/template.ts';
import type { Derivation, MaybeTool, Provider, Tool } from '../schema/tool.ts';
import type { WithheldItem } from './withheld-item.ts';

interface Registered extends ResourcesAndPrompts {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  /** Providers without tools, of names that no other provider has (`Origin.isPreset`). */
  readonly presets: ReadonlyMap<string, Provider>;
  readonly problems: readonly Problem[];
  /** Withheld tools, by name. */
  readonly withheld: ReadonlyMap<string, WithheldItem>;
  /** Withheld skills, by name. */
  readonly withheldSkills: ReadonlyMap<string, WithheldItem>;
  /** The names of sources. No foreign name may begin with one. */
  readonly sources: readonly string[];
  /** Paths that discovery read or found empty. */
  readonly opened: readonly string[];
  /** Files that affected discovery and that tools may edit. */
  readonly pinned: readonly CodeFile[];
  /** Files whose content no person has accepted. */
  readonly unseen: readonly CodeFile[];
  /** The derivations that plugins declared, for sources. */
  readonly derivations: readonly Derivation[];
}

/** The tools, providers, resources and prompts at one moment, in a stable order. A reload creates a new one. */
export class Registry implements Registered {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  /** Tools that go with the results of all others (`Origin.isCompanion`). */
  readonly companions: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly presets: ReadonlyMap<string, Provider>;
  readonly skills: ResourcesAndPrompts['skills'];
  readonly resources: ResourcesAndPrompts['resources'];
  readonly resourceTemplates: ResourcesAndPrompts['resourceTemplates'];
  readonly prompts: ResourcesAndPrompts['prompts'];
  readonly problems: readonly Problem[];
  readonly withheld: ReadonlyMap<string, WithheldItem>;
  readonly withheldSkills: ReadonlyMap<string, WithheldItem>;
  readonly sources: readonly string[];
  readonly opened: readonly string[];
  readonly pinned: readonly CodeFile[];
  readonly unseen: readonly CodeFile[];
  readonly derivations: readonly Derivation[];
  /** Secret names whose values may be shown: a provider declares `secret: false` or has it as `client_id`, and no tool uses the name as a secret. */
  readonly openNames: ReadonlySet<string>;
  /** Names of the credentials of all tools, if they look like a secret. Parameter values under these names are masked. */
  readonly secretNames: ReadonlySet<string>;

  /** Created on the first request for an unknown tool. */
  #names: NameIndex | undefined;
  #refused: ReadonlyMap<string, readonly Problem[]> | undefined;

  constructor(registered: Partial<Registered> = {}) {
    const { tools = new Map<string, LinkedTool>() } = registered;
    // Without a compare function: three times as fast for ten thousand names.
    const names = [...tools.keys()].sort();
    const isCompanion = (name: string): boolean => tools.get(name)?.origin?.isCompanion === true;
    const named = (some: readonly string[]): ReadonlyMap<string, LinkedTool> =>
      new Map(some.map((name) => [name, tools.get(name) as LinkedTool]));
    this.tools = named(names.filter((name) => !isCompanion(name)));
    this.companions = named(names.filter(isCompanion));
    this.providers = registered.providers ?? new Map();
    const isFree = ([name]: readonly [string, Provider]): boolean => !this.providers.has(name);
    this.presets = new Map([...(registered.presets ?? [])].filter(isFree));
    this.skills = registered.skills ?? new Map();
    this.resources = registered.resources ?? new Map();
    this.resourceTemplates = registered.resourceTemplates ?? new Map();
    this.prompts = registered.prompts ?? new Map();
    this.problems = registered.problems ?? [];
    this.withheld = registered.withheld ?? new Map();
    this.withheldSkills = registered.withheldSkills ?? new Map();
    this.sources = registered.sources ?? [];
    this.opened = registered.opened ?? [];
    this.pinned = registered.pinned ?? [];
    this.unseen = registered.unseen ?? [];
    this.derivations = registered.derivations ?? [];
    const needs = [...this.tools.values()].flatMap((tool) => tool.credentials);
    const secrets = new Set(needs.filter(({ isSecret }) => isSecret).map(({ secret }) => secret));
    this.secretNames = new Set(needs.flatMap(({ name, secret }) => [name, secret]).filter(isSecretName));
    const definitions = [...this.providers.values(), ...this.presets.values()].map(({ definition }) => definition);
    const open = definitions.flatMap(openNamesOf);
    this.openNames = new Set(open.filter((name) => !secrets.has(name) && !isSecretName(name)));
  }

  /** Returns the provider of a name, with tools or without; undefined when there is none. */
  provider(name: string): Provider | undefined {
    return this.providers.get(name) ?? this.presets.get(name);
  }

  /** Returns the tool. Throws TOOL_NOT_FOUND with the nearest names, or with the problems of a refused definition. */
  get(name: string, isVisible: (tool: MaybeTool) => boolean = () => true): Tool {
    const tool = this.tools.get(name) ?? this.companions.get(name);
    if (tool !== undefined && isVisible(tool)) return tool;
    const withheld = tool === undefined && isVisible({ name }) ? this.withheld.get(name) : undefined;
    if (withheld !== undefined) throw withheldTool(withheld);
    this.#refused ??= errorsOfTools(this.problems);
    const refused = tool === undefined && isVisible({ name }) ? this.#refused.get(name) : undefined;
    if (refused !== undefined) throw brokenTool(name, refused);
    this.#names ??= new NameIndex(this.tools.keys());
    const isKnown = (known: string): boolean => isVisible(this.tools.get(known) as Tool);
    const hint = suggestionText(this.#names.nearest(name, isKnown)) || this.#adviceFor(isVisible);
    throw new ToolkitError('TOOL_NOT_FOUND', `There is no tool "${excerpt(name, 100)}".${hint}`, { tool: name });
  }

  #adviceFor(isVisible: (tool: MaybeTool) => boolean): string {
    for (const tool of this.tools.values()) if (isVisible(tool)) return ' List the tools to see their names.';
    return ' No tool is available.';
  }
}

/** Returns the names that a provider declares as no secrets. A client id is none: it is in the address that a browser opens (RFC 6749, 2.2). */
function openNamesOf({ parameter_mapping: mapping = [], oauth2 }: ProviderDefinition): readonly string[] {
  const clientId = placeholdersIn(oauth2?.client_id).filter((name) => mapping.every(({ parameter }) => parameter !== name));
  return [...mapping.filter(({ secret }) => secret === false).map(({ env_pattern }) => env_pattern), ...clientId];
}

/** Groups the errors by the name of the refused tool. */
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

/** Returns the error of a call of a withheld tool. */
function withheldTool({ name, how, acceptedBy }: WithheldItem): ToolkitError {
  const message = `"${excerpt(name, 100)}" ${how}: it is withheld until a person accepts it. Tell the person you work for: "toolkit tools pending" shows the change to the operator; ${acceptedBy}.`;
  return new ToolkitError('APPROVAL_REQUIRED', message, { tool: name });
}
