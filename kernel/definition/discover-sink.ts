import type { Origin } from './check-definition.ts';
import type { CachedDefinition } from './link-cache.ts';
import type { CodeFile } from './pinned-code.ts';
import type { Problem } from './problem.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { Prompt, Resource, ResourceTemplate } from './resource.ts';
import type { Derivation } from './tool.ts';

/**
 * What taps on `discover` get, to add tools, providers, skills, resources and prompts. Definitions need not be checked before: the kernel
 * checks each one, reports what is wrong with it as a problem, and loads the others.
 */
export interface DiscoverSink {
  /** True when modules of tools may have changed (`reload({ code: true })`): import them anew for the next call. @default false */
  readonly isCodeStale: boolean;
  /** Another text when a definition may mean something else: other execution types and keys, or other code of those that say their `fingerprint`. */
  readonly schemaVersion: string;
  /** True for a reload that a model asks for: what is found is shown to a person before it counts, also what nobody has accepted. */
  readonly isShown: boolean;
  /**
   * Makes a control file of a place that was opened, or was looked into and is empty: tools create, change, move and remove nothing there. A
   * folder stands for everything in it. Absolute, links followed.
   */
  opened(place: string): void;
  /** Names a file that decided what was found, and that tools may edit, such as a manifest of the project. */
  pinned(file: CodeFile): void;
  /** Withholds from models the tools that run this, for as long as the file holds just that: nobody has accepted it. */
  unseen(file: CodeFile): void;
  /**
   * Adds one tool definition, as it was written. `origin` says where (`file`) and by whom (`trust`, default `package`). `provider` names the
   * provider of the tool; without it, the nearest provider file above the tool's own is taken. Never throws.
   * @example kernel.hooks.discover.tap('my-tools', (sink) => sink.addTool(definition, { trust: 'operator' }));
   */
  addTool(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>, provider?: string): void;
  addProvider(definition: unknown, origin?: Partial<Omit<Origin, 'plugin'>>): void;
  /** The same for a definition that was perhaps checked and linked before, which then is not done again. */
  addCached(kept: CachedDefinition, origin?: Partial<Omit<Origin, 'plugin'>>): void;
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
