import { setMaxListeners } from 'node:events';
import type { Registry } from '../definition/registry/registry.ts';
import type { WithheldItem } from '../definition/registry/withheld-item.ts';
import type { Problem } from '../definition/schema/problem.ts';
import type { Derivation } from '../definition/schema/tool.ts';
import { ToolkitError } from '../errors.ts';
import type { JsonObject } from '../json/json.ts';
import { didYouMean } from '../schema/nearest.ts';
import type { DeclaredSources } from './declared-sources.ts';
import { joinSources, refuseTakenNamespaces, type SourcePart } from './join-sources.ts';
import { ofSource, readableOf } from './link-source.ts';
import type { Listing, SourceItem } from './listing.ts';
import { describeChange } from './pending-change.ts';
import { RunningSource, type SourceServices } from './running-source.ts';
import type { KernelSources, PendingChange, SourceStatus } from './source.ts';
import { sourceFetch } from './source-fetch.ts';
import { SourceWatch } from './source-watch.ts';

/** The listings of all sources at one time, as shown by a preview. */
export type Listings = ReadonlyMap<RunningSource, Listing | undefined>;

/** Maximum number of reported messages of a source in a status. */
const maxReported = 5;

/** The registry in which they are joined. */
interface LiveTools extends Pick<KernelSources, 'accept' | 'relist'> {
  readonly registry: Registry;
}

/** The sources of a running kernel: listed in parallel, joined with the tools of plugins, and relisted one by one. */
export class Sources {
  readonly #declared: DeclaredSources;
  readonly #services: SourceServices;
  #sources: readonly RunningSource[] | undefined;

  /** `declared` is read on the first use. */
  constructor(declared: DeclaredSources, services: Omit<SourceServices, 'roots' | 'executionTypesOf'>) {
    this.#declared = declared;
    setMaxListeners(0, services.closing);
    declared.fetchOf = ({ name }) => sourceFetch(services.fetch, this.get(name).origin, services.closing).fetch;
    this.#services = { ...services, roots: () => declared.roots(), executionTypesOf: (source) => declared.executionTypesOf(source) };
  }

  get all(): readonly RunningSource[] {
    this.#sources ??= this.#declared.all.map((declared) => new RunningSource(declared, this.#services));
    return this.#sources;
  }

  /** Lists all sources, each with its own time limit. Never throws. */
  async listAll(): Promise<void> {
    await Promise.all(this.all.map((source) => source.list()));
  }

  get listings(): Listings {
    return new Map(this.all.map((source) => [source, source.listing]));
  }

  /** Throws PLUGIN_INVALID when a source's namespace contains a foreign name. */
  refuseTaken(base: Registry): void {
    refuseTakenNamespaces(base, this.#declared.all);
  }

  /** Joins the usable items of sources with the tools of plugins. With `shown`, joins these listings as if a person had accepted them. */
  async join(base: Registry, shown?: Listings): Promise<Registry> {
    if (this.all.length === 0) return base;
    return joinSources(base, await Promise.all(this.all.map((source) => this.#partOf(source, shown, base.derivations))));
  }

  /** Accepts the pending changes of these listings. */
  async acceptListings(listings: Listings): Promise<void> {
    for (const [source, listing] of listings) await source.acceptChanges(source.withheldOf(listing));
    for (const [source, listing] of listings) source.accept(undefined, listing);
  }

  /** Accepts pending changes: all, those with these names, those of this source. Throws NOT_FOUND for a name without a pending change. */
  async accept(names?: readonly string[], of?: string): Promise<void> {
    const chosen = of === undefined ? this.all : [this.get(of)];
    const known = chosen.flatMap((source) => source.withheld.map(({ name }) => name));
    const strange = names?.find((name) => !known.includes(name));
    if (strange !== undefined) throw new ToolkitError('NOT_FOUND', `Nothing named "${strange}" is withheld.${didYouMean(strange, known)}`);
    const isSeen = ({ name }: Pick<SourceItem, 'name'>): boolean => names === undefined || names.includes(name);
    const seen = chosen.map((source) => [source, source.listing] as const);
    for (const [source, listing] of seen) await source.acceptChanges(source.withheldOf(listing).filter(isSeen));
    // A listing that came while they were recorded was not seen.
    for (const [source, listing] of seen) source.accept(isSeen, listing);
  }

  /** All pending changes. */
  get pending(): readonly PendingChange[] {
    return this.pendingOf(this.listings);
  }

  /** Returns the pending changes of these listings. */
  pendingOf(listings: Listings): readonly PendingChange[] {
    return [...listings].flatMap(([source, listing]) => source.withheldOf(listing));
  }

  /** Returns a source. Throws NOT_FOUND. */
  get(name: string): RunningSource {
    const found = this.all.find((source) => source.name === name);
    if (found !== undefined) return found;
    const known = this.all.map((source) => source.name);
    throw new ToolkitError('NOT_FOUND', `There is no source "${name}".${didYouMean(name, known)}`);
  }

  /** Watches the sources until the kernel closes. Calls `relist` for a source that must be listed again. */
  watch(relist: (source: RunningSource) => Promise<void>): void {
    for (const source of this.all) new SourceWatch(source, this.#services, () => relist(source)).start();
  }

  statuses(registry: Registry): readonly SourceStatus[] {
    return this.all.map((source) => ({
      name: source.name,
      plugin: source.declared.plugin,
      state: source.state,
      tools: [...registry.tools.values()].filter(({ origin }) => origin.source?.name === source.name).length,
      withheld: source.withheld.map(({ change, kind, name, differs }) => ({ change, kind, name, differs })),
      reported: (source.listing?.problems ?? []).map(({ message }) => message),
      ...(source.failure === undefined ? {} : { failure: source.failure.message }),
      ...(source.listedAt === undefined ? {} : { listedAt: source.listedAt }),
    }));
  }

  /** Returns the sources for the host of the kernel. */
  controlledBy(live: LiveTools): KernelSources {
    return {
      list: () => this.statuses(live.registry),
      pending: () => this.pending,
      accept: (names, source) => live.accept(names, source),
      relist: (name) => live.relist(name),
    };
  }

  /** Returns the status for `kernel.status()`; empty without sources. */
  status(registry: Registry): JsonObject {
    if (this.all.length === 0) return {};
    const shown = this.statuses(registry).map(
      ({ name, withheld, reported, ...rest }) =>
        [name, { ...rest, withheld: withheld.map(describeChange), reported: reported.slice(0, maxReported) }] as const,
    );
    return { sources: Object.fromEntries(shown) };
  }

  async #partOf(source: RunningSource, shown: Listings | undefined, derivations: readonly Derivation[]): Promise<SourcePart> {
    const { name, plugin } = source.declared;
    const items = shown === undefined ? source.itemsOf() : source.itemsOf(shown.get(source), true);
    const linked = await source.linked(items, derivations);
    const withheld = shown === undefined ? source.withheld : [];
    const problems: Problem[] = (source.listing?.problems ?? []).map((problem) => ofSource({ ...problem, plugin }, name));
    const { failure } = source;
    if (failure !== undefined) problems.push({ severity: 'error', code: failure.code, plugin, message: failure.message });
    for (const change of withheld)
      problems.push({
        severity: 'warning',
        code: 'APPROVAL_REQUIRED',
        plugin,
        message: `${describeChange(change)} is withheld until a person accepts it`,
      });
    const tools = withheld.filter(({ kind }) => kind === 'tool');
    return {
      ...{ name, plugin, linked, problems },
      readable: readableOf(items, plugin, name),
      withheld: new Map(tools.map((change) => [change.name, withheldItem(change, name)])),
    };
  }
}

function withheldItem({ name, change, differs }: PendingChange, source: string): WithheldItem {
  const how = change === 'new' ? `is new in the source "${source}"` : `has changed in the source "${source}" (${differs.join(', ')})`;
  return { kind: 'tool', name, how, acceptedBy: 'a reload that a person approves, or a restart, accepts it' };
}
