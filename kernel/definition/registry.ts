import { excerpt, ToolkitError } from '../errors.ts';
import { NameIndex } from '../schema/name-index.ts';
import { suggestionText } from '../schema/nearest.ts';
import { isSecretName } from './credentials.ts';
import type { LinkedTool } from './linked-tool.ts';
import type { CodeFile } from './pinned-code.ts';
import { errorOf, type Problem } from './problem.ts';
import type { ResourcesAndPrompts } from './resources-and-prompts.ts';
import type { MaybeTool, Provider, Tool } from './tool.ts';

interface Registered extends ResourcesAndPrompts {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly problems: readonly Problem[];
  /** By name of a tool of a source that is withheld until somebody has seen it, how it differs. */
  readonly withheld: ReadonlyMap<string, string>;
  /** The sources, whose names nothing else may begin with. */
  readonly sources: readonly string[];
  /** Places that discovery opened, or looked into and found empty. */
  readonly opened: readonly string[];
  /** Files that tools may edit and that decided what was found. */
  readonly pinned: readonly CodeFile[];
  /** Content of files that nobody has accepted. */
  readonly unseen: readonly CodeFile[];
}

/** The tools and providers of one moment, and what can be read beside them, in a stable order. A reload makes a new one. */
export class Registry implements Registered {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  /** Tools that go with the results of all others (`Origin.isCompanion`). */
  readonly companions: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly skills: ResourcesAndPrompts['skills'];
  readonly resources: ResourcesAndPrompts['resources'];
  readonly resourceTemplates: ResourcesAndPrompts['resourceTemplates'];
  readonly prompts: ResourcesAndPrompts['prompts'];
  readonly problems: readonly Problem[];
  readonly withheld: ReadonlyMap<string, string>;
  readonly sources: readonly string[];
  readonly opened: readonly string[];
  readonly pinned: readonly CodeFile[];
  readonly unseen: readonly CodeFile[];
  /** Names of the secret chain whose values may be seen: whoever needs them says so. */
  readonly openNames: ReadonlySet<string>;
  /** Names under which somebody may give the credential of a tool: what stands under one of them among parameters is no word of the call. */
  readonly secretNames: ReadonlySet<string>;

  /** Both are made when a tool is asked for that is not there. */
  #names: NameIndex | undefined;
  #refused: ReadonlyMap<string, readonly Problem[]> | undefined;

  constructor(registered: Partial<Registered> = {}) {
    const { tools = new Map<string, LinkedTool>() } = registered;
    // Without a function that compares: ten thousand names take a third of the time.
    const names = [...tools.keys()].sort();
    const isCompanion = (name: string): boolean => tools.get(name)?.origin?.isCompanion === true;
    const named = (some: readonly string[]): ReadonlyMap<string, LinkedTool> =>
      new Map(some.map((name) => [name, tools.get(name) as LinkedTool]));
    this.tools = named(names.filter((name) => !isCompanion(name)));
    this.companions = named(names.filter(isCompanion));
    this.providers = registered.providers ?? new Map();
    this.skills = registered.skills ?? new Map();
    this.resources = registered.resources ?? new Map();
    this.resourceTemplates = registered.resourceTemplates ?? new Map();
    this.prompts = registered.prompts ?? new Map();
    this.problems = registered.problems ?? [];
    this.withheld = registered.withheld ?? new Map();
    this.sources = registered.sources ?? [];
    this.opened = registered.opened ?? [];
    this.pinned = registered.pinned ?? [];
    this.unseen = registered.unseen ?? [];
    const needs = [...this.tools.values()].flatMap((tool) => tool.credentials);
    const secrets = new Set(needs.filter(({ isSecret }) => isSecret).map(({ secret }) => secret));
    this.secretNames = new Set(needs.flatMap(({ name, secret }) => [name, secret]).filter(isSecretName));
    const mapped = [...this.providers.values()].flatMap(({ definition }) => definition.parameter_mapping ?? []);
    const open = mapped.filter(({ secret }) => secret === false).map(({ env_pattern }) => env_pattern);
    this.openNames = new Set(open.filter((name) => !secrets.has(name) && !isSecretName(name)));
  }

  /** Throws TOOL_NOT_FOUND with the nearest names, or says why the definition of that name was refused. */
  get(name: string, isVisible: (tool: MaybeTool) => boolean = () => true): Tool {
    const tool = this.tools.get(name) ?? this.companions.get(name);
    if (tool !== undefined && isVisible(tool)) return tool;
    const withheld = tool === undefined && isVisible({ name }) ? this.withheld.get(name) : undefined;
    if (withheld !== undefined) throw withheldTool(name, withheld);
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

function withheldTool(name: string, how: string): ToolkitError {
  const message = `"${excerpt(name, 100)}" ${how}: it is withheld until somebody has seen it. Tell the person you work for: "toolkit tools pending" shows the operator what is new, and a reload that a person agrees to, or a restart, takes it.`;
  return new ToolkitError('APPROVAL_REQUIRED', message, { tool: name });
}
