import type { CachedDefinition } from '../cache/link-cache.ts';
import type { Prompt, Resource, ResourceTemplate } from '../resources/resource.ts';
import type { ResourcesAndPromptsBuilder } from '../resources/resources-and-prompts.ts';
import type { Origin } from '../schema/origin.ts';
import type { CodeFile } from '../schema/pinned-code.ts';
import type { Problem } from '../schema/problem.ts';
import type { Derivation } from '../schema/tool.ts';
import type { DiscoverSink } from './discover-sink.ts';
import type { ProviderOverride } from './override-provider.ts';

/** A definition as a plugin added it. */
export interface ContributedDefinition {
  readonly definition: () => unknown;
  readonly origin: Origin;
  readonly cached?: CachedDefinition;
  /** The name of the provider, if given. */
  readonly provider?: string;
}

/** The members of a sink that are the same for a whole discovery. */
type SinkFacts = Pick<DiscoverSink, 'isCodeStale' | 'isShown' | 'schemaVersion'>;

/** The additions of one tap on `discover`. Additions after its end are dropped. */
export class Contribution {
  readonly tools: ContributedDefinition[] = [];
  readonly providers: ContributedDefinition[] = [];
  readonly problems: Problem[] = [];
  readonly listeners: (() => void)[] = [];
  readonly derivations: Derivation[] = [];
  overrides: readonly ProviderOverride[] = [];
  opened: string[] = [];
  pinned: CodeFile[] = [];
  unseen: CodeFile[] = [];
  /** The plugin of the tap; undefined before it begins. */
  plugin: string | undefined;
  /** True when the tap threw or ran out of time: the previous additions stay. */
  hasFailed = false;
  readonly #facts: SinkFacts;
  /** Deferred additions of resources, templates and prompts; skills are separate. */
  #others: ((builder: ResourcesAndPromptsBuilder) => void)[] = [];
  #skills: ((builder: ResourcesAndPromptsBuilder) => void)[] = [];
  #hasEnded = false;

  constructor(facts: SinkFacts) {
    this.#facts = facts;
  }

  /** Returns the sink of a plugin. Additions are attributed to that plugin, and to `source` if given. */
  sinkOf(plugin: string, forced: Partial<Origin> = {}): DiscoverSink {
    this.plugin = plugin;
    const complete = (origin: Partial<Omit<Origin, 'plugin'>> = {}): Origin => ({ trust: 'package', ...origin, ...forced, plugin });
    const sink: DiscoverSink = {
      ...this.#facts,
      opened: (path) => this.opened.push(path),
      pinned: (file) => this.pinned.push(file),
      unseen: (file) => this.unseen.push(file),
      addTool: (definition, origin, provider) =>
        this.tools.push({ definition: () => definition, origin: complete(origin), ...(provider === undefined ? {} : { provider }) }),
      addProvider: (definition, origin) => this.providers.push({ definition: () => definition, origin: complete(origin) }),
      addCached: (cached, origin, provider) => {
        const list = cached.kind === 'tool' ? this.tools : this.providers;
        const owner = provider === undefined ? {} : { provider };
        list.push({ definition: () => cached.definition(), origin: complete(origin), cached, ...owner });
      },
      derive: (derivation) => this.derivations.push(derivation),
      onLinked: (listener) => this.listeners.push(listener),
      overrideProvider: (name, definition) => {
        this.overrides = [...this.overrides, { name, definition, plugin }];
      },
      addSkill: (frontMatter, text, origin) => {
        const owner = complete(origin);
        this.#skills.push((builder) => builder.addSkill(frontMatter, text, owner));
      },
      addResource: (resource: Resource) => this.#others.push((builder) => builder.addResource(resource, plugin)),
      addResourceTemplate: (template: ResourceTemplate) => this.#others.push((builder) => builder.addResourceTemplate(template, plugin)),
      addPrompt: (prompt: Prompt) => this.#others.push((builder) => builder.addPrompt(prompt, plugin)),
      addProblem: (problem) => this.problems.push({ ...problem, plugin }),
    };
    return this.#whileOpen(sink);
  }

  end(): void {
    this.#hasEnded = true;
  }

  addOthersTo(builder: ResourcesAndPromptsBuilder): void {
    for (const add of [...this.#others, ...this.#skills]) add(builder);
  }

  /** Replaces the additions of a failed tap by those of `before` that no registry can attribute. */
  failed(before: Contribution | undefined): void {
    this.hasFailed = true;
    if (before === undefined) return;
    this.tools.length = 0;
    this.providers.length = 0;
    this.#skills = [];
    this.overrides = before.overrides;
    // The paths that this run read still need protection.
    this.opened = [...before.opened, ...this.opened];
    this.pinned = [...before.pinned, ...this.pinned];
    this.unseen = [...before.unseen, ...this.unseen];
    this.#others = before.#others;
  }

  /** Returns the part that is needed if the tap fails the next time. */
  copyForFallback(): Contribution {
    const copy = new Contribution(this.#facts);
    copy.overrides = this.overrides;
    copy.opened = this.opened;
    copy.pinned = this.pinned;
    copy.unseen = this.unseen;
    copy.#others = this.#others;
    return copy;
  }

  #whileOpen(sink: DiscoverSink): DiscoverSink {
    const members = Object.entries(sink).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === 'function' ? (...given: unknown[]) => (this.#hasEnded ? undefined : void member(...given)) : member,
    ]);
    return Object.fromEntries(members) as DiscoverSink;
  }
}
