import type { CachedDefinition } from '../cache/link-cache.ts';
import type { Prompt, Resource, ResourceTemplate } from '../resources/resource.ts';
import type { Origin } from '../schema/origin.ts';
import type { CodeFile } from '../schema/pinned-code.ts';
import type { Problem } from '../schema/problem.ts';
import type { Derivation } from '../schema/tool.ts';
import type { PartialProvider } from './override-provider.ts';

/**
 * Receives the tools, providers, skills, resources and prompts of taps on `discover`. Definitions need no check before: the kernel
 * checks each one, reports invalid ones as problems, and loads the others.
 */
export interface DiscoverSink {
  /** True when modules of tools may have changed (`reload({ code: true })`): import them anew for the next call. @default false */
  readonly isCodeStale: boolean;
  /** The schema version: it changes with execution types, keys, or their code (`fingerprint`), so that cached link results become invalid. */
  readonly schemaVersion: string;
  /** True for a reload requested by a model: a person reviews every new definition before it takes effect. */
  readonly isShown: boolean;
  /**
   * Protects a path that was read, or found empty, as a control file: tools create, change, move and remove nothing there. A
   * folder includes its content. The path is absolute, with links resolved.
   */
  opened(place: string): void;
  /** Names a file that affected the result and that tools may edit, such as a manifest of the project. */
  pinned(file: CodeFile): void;
  /** Withholds tools that run this file from models, while it has this content: no person has accepted it. */
  unseen(file: CodeFile): void;
  /**
   * Adds one tool definition, unchecked. `origin` has its `file` and its `trust` (default `package`). `provider` names the
   * provider of the tool. @default the nearest provider file above the tool's file. Never throws.
   * @example kernel.hooks.discover.tap('my-tools', (sink) => sink.addTool(definition, { trust: 'operator' }));
   */
  addTool(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>, provider?: string): void;
  addProvider(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>): void;
  /** Adds a definition with a cached link result, which saves checking and linking it. `provider` names the provider of a tool, as for `addTool`. */
  addCached(kept: CachedDefinition, origin?: Partial<Omit<Origin, 'plugin'>>, provider?: string): void;
  /** Caches the derivation's values with the tools, so that `tool.derived` need not compute them at each start. */
  derive(derivation: Derivation): void;
  /** Calls `listener` when all definitions are linked. Nothing is cached after that. */
  onLinked(listener: () => void): void;
  /**
   * Replaces keys of a provider with the operator's, such as `base_url` for a private installation. `headers` and `oauth2` are merged: their
   * members are replaced one by one. The addresses count as the operator's own.
   */
  overrideProvider(name: string, definition: PartialProvider): void;
  /** Adds a skill: the front matter of a SKILL.md, and its whole text. */
  addSkill(frontMatter: unknown, text: string, origin?: Partial<Omit<Origin, 'plugin'>>): void;
  addResource(resource: Resource): void;
  addResourceTemplate(template: ResourceTemplate): void;
  addPrompt(prompt: Prompt): void;
  /** Reports a file that could not be read or parsed at all. */
  addProblem(problem: Omit<Problem, 'plugin'>): void;
}
