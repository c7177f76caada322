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
import { keyOfItem, type Listing } from './listing.ts';
import { describeChange } from './pending-change.ts';
import { RunningSource, type SourceServices } from './running-source.ts';
import type { KernelSources, PendingChange, SourceStatus } from './source.ts';
import { sourceFetch } from './source-fetch.ts';
import { SourceWatch } from './source-watch.ts';
import { refuseUnknownAccounts } from './unknown-accounts.ts';

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
  /** The tools of plugins that the newest discovery finds. */
  #base: Promise<Registry> | undefined;

  /** `declared` is read on the first use. */
  constructor(declared: DeclaredSources, services: Omit<SourceServices, 'roots' | 'executionTypesOf' | 'provider'>) {
    this.#declared = declared;
    setMaxListeners(0, services.closing);
    declared.fetchOf = ({ name }) => sourceFetch(services.fetch, this.get(name).origin, services.closing).fetch;
    this.#services = {
      ...services,
      roots: () => declared.roots(),
      executionTypesOf: (source) => declared.executionTypesOf(source),
      provider: async (name) => (await this.#base)?.provider(name),
    };
  }

  get all(): readonly RunningSource[] {
    this.#sources ??= this.#declared.all.map((declared) => new RunningSource(declared, this.#services));
    return this.#sources;
  }

  /** Lists all sources, each with its own time limit. `base`: the running discovery; sources with an account wait for it. Never throws. */
  async listAll(base: Promise<Registry>): Promise<void> {
    this.#base = base;
    await Promise.all(this.all.map((source) => source.list()));
  }

  get listings(): Listings {
    return new Map(this.all.map((source) => [source, source.listing]));
  }

  /** Throws PLUGIN_INVALID when a source's namespace contains a foreign name, and CONFIG_INVALID when a source names an account that is none. */
  refuseInvalid(base: Registry): void {
    refuseTakenNamespaces(base, this.#declared.all);
    refuseUnknownAccounts(base, this.#declared.all);
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

  /** Accepts pending changes, all or those given. Throws NOT_FOUND for a change that is not pending, or no longer in that form. */
  async accept(given?: readonly (string | PendingChange)[]): Promise<void> {
    const seen = this.all.map((source) => [source, source.listing, source.withheld] as const);
    const pending = seen.flatMap(([, , withheld]) => withheld);
    const isGiven = (change: PendingChange): boolean => given === undefined || given.includes(change) || given.includes(change.name);
    for (const one of given ?? []) if (!pending.some((change) => one === change || one === change.name)) throw notPending(one, pending);
    for (const [source, , withheld] of seen) await source.acceptChanges(withheld.filter(isGiven));
    // A listing that came while they were recorded was not seen.
    for (const [source, listing, withheld] of seen) {
      const keys = new Set(withheld.filter(isGiven).map(keyOfItem));
      source.accept((item) => keys.has(keyOfItem(item)), listing);
    }
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
      accept: (changes) => live.accept(changes),
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

function notPending(given: string | PendingChange, pending: readonly PendingChange[]): ToolkitError {
  const name = typeof given === 'string' ? given : given.name;
  const isChanged = typeof given !== 'string' && pending.some((change) => change.name === name);
  if (isChanged) return new ToolkitError('NOT_FOUND', `"${name}" has changed again since it was shown. Look at it again.`);
  const known = pending.map((change) => change.name);
  return new ToolkitError('NOT_FOUND', `Nothing named "${name}" is withheld.${didYouMean(name, known)}`);
}

function withheldItem({ name, change, differs }: PendingChange, source: string): WithheldItem {
  const how = change === 'new' ? `is new in the source "${source}"` : `has changed in the source "${source}" (${differs.join(', ')})`;
  return { kind: 'tool', name, how, acceptedBy: 'a reload that a person approves, or a restart, accepts it' };
}
