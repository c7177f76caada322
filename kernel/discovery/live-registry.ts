import { Registry } from '../definition/registry/registry.ts';
import { type Withholders, withhold } from '../definition/registry/withhold.ts';
import type { ExecutionType } from '../definition/schema/execution-type.ts';
import { ToolkitError } from '../errors.ts';
import type { RunningSource } from '../source/running-source.ts';
import type { PendingChange } from '../source/source.ts';
import type { Listings, Sources } from '../source/sources.ts';
import { type Change, digestOf, Snapshot } from './snapshot.ts';

/** The outcome of one discovery. */
interface DiscoveryResult {
  /** The tools of plugins. */
  readonly base: Registry;
  readonly listings: Listings;
}

/** The result of a reload that has not been applied. */
export interface Preview {
  readonly next: Snapshot;
  /** The tools that would become callable or change their effect. */
  readonly changes: readonly Change[];
  /** Digest of the changes. */
  readonly digest: string;
}

/** Reads all definitions. `isShown`: a person reviews new ones before they take effect. */
type Discover = (previous: Registry | undefined, isCodeStale: boolean, isShown: boolean) => Promise<Registry>;

/** The additions of plugins on which the current tools depend. */
interface Additions {
  readonly executionTypes: ReadonlyMap<string, ExecutionType>;
  readonly withholders: Withholders;
}

/** The current tools, and their replacement. Discoveries run one after another. */
export class LiveRegistry {
  /** The current tools. */
  registry = new Registry();
  readonly #discover: Discover;
  readonly #types: ReadonlyMap<string, ExecutionType>;
  readonly #withholders: Withholders;
  readonly #sources: Sources;
  /** The tools of plugins, without those of sources. */
  #base: Registry | undefined;
  /** The discovery result behind each preview. */
  readonly #previewed = new WeakMap<Preview, DiscoveryResult>();
  readonly #listeners = new Set<(registry: Registry) => void>();
  #active: Snapshot | undefined;
  #controlFiles: readonly string[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(discover: Discover, { executionTypes, withholders }: Additions, sources: Sources) {
    this.#discover = discover;
    this.#types = executionTypes;
    this.#withholders = withholders;
    this.#sources = sources;
  }

  /** Returns fingerprints of the active tools, and of each tool withheld because it changed. */
  async fingerprints(): ReturnType<Snapshot['fingerprints']> {
    const changed = this.#sources.pending.filter(({ change, kind }) => change === 'changed' && (kind === 'tool' || kind === 'provider'));
    return new Map([
      ...((await this.#active?.fingerprints()) ?? []),
      ...changed.map(({ kind, name }) => [`${kind} ${name}`, 'withheld'] as const),
    ]);
  }

  /** Paths that tools must not touch, from the last discovery and from that of the current tools. */
  get controlFiles(): readonly string[] {
    return this.#controlFiles;
  }

  /** Discovers the first tools. Throws PLUGIN_INVALID when a source's namespace contains a foreign name, and CONFIG_INVALID for an unknown account. */
  async open(): Promise<void> {
    const found = await this.#find();
    this.#sources.refuseInvalid(found.base);
    this.#activate(await this.#snapshot(found), found.base);
    this.#sources.watch((source) => this.#relist(source));
  }

  /** Discovers and replaces the tools, for hosts. Pending changes of sources stay withheld. */
  reload(isCodeStale = false): Promise<Registry> {
    return this.#enqueue(async () => {
      const found = await this.#find(isCodeStale);
      return this.#swap(await this.#snapshot(found), found.base);
    });
  }

  /** Returns the result of a reload that accepts all pending changes of sources. */
  preview(): Promise<Preview> {
    return this.#enqueue(async () => {
      const found = await this.#find(false, true);
      const preview = await this.#previewOf(await this.#snapshot(found, found.listings), this.#sources.pendingOf(found.listings));
      this.#previewed.set(preview, found);
      return preview;
    });
  }

  /** Accepts pending changes of sources, all or those given. Throws NOT_FOUND for a change that is not pending. */
  accept(changes?: readonly (string | PendingChange)[]): Promise<Registry> {
    return this.#enqueue(async () => {
      await this.#sources.accept(changes);
      return this.#rejoin();
    });
  }

  /** Lists only this source again. Throws NOT_FOUND. */
  async relist(name: string): Promise<Registry> {
    await this.#relist(this.#sources.get(name));
    return this.registry;
  }

  /**
   * Applies exactly the reviewed preview, for a model. Without one, applies only changes that make nothing callable. Throws
   * APPROVAL_REQUIRED.
   */
  reloadReviewed(shown: Preview | undefined, tool: string): Promise<Registry> {
    return this.#enqueue(async () => {
      const found = (shown === undefined ? undefined : this.#previewed.get(shown)) ?? (await this.#find());
      const next = shown === undefined ? await this.#snapshot(found) : await Snapshot.of(shown.next.registry, this.#types);
      const { changes, digest } = await this.#previewOf(next, shown === undefined ? [] : this.#sources.pendingOf(found.listings));
      if (changes.length > 0 && shown === undefined)
        throw new ToolkitError('APPROVAL_REQUIRED', `"${tool}" did not reload: ${notReviewedText}`, { tool });
      if (changes.length > 0 && shown?.digest !== digest)
        throw new ToolkitError('APPROVAL_REQUIRED', `"${tool}" did not reload: ${outdatedReviewText}`, { tool });
      if (shown === undefined) return this.#swap(next, found.base);
      await this.#sources.acceptListings(found.listings);
      // A source may have changed meanwhile, without a review.
      return this.#swap(await this.#snapshot(found, undefined, next), found.base);
    });
  }

  /** Adds a listener. Returns a function that removes it. */
  onReload(listener: (registry: Registry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Runs discovery and lists the sources, in parallel; those with an account after the discovery. */
  async #find(isCodeStale = false, isShown = false): Promise<DiscoveryResult> {
    const discovery = this.#discover(this.#base, isCodeStale, isShown);
    const [base] = await Promise.all([discovery, this.#sources.listAll(discovery)]);
    return { base, listings: this.#sources.listings };
  }

  async #snapshot({ base }: Pick<DiscoveryResult, 'base'>, shown?: Listings, same?: Snapshot): Promise<Snapshot> {
    const reads = new Map<string, unknown>();
    const joined = await withhold(await this.#sources.join(base, shown), this.#withholders, reads);
    const next = await Snapshot.of(joined, this.#types, { same, reads });
    // A preview must stay unchanged until a person has answered.
    this.#controlFiles = [...new Set([...(this.#active?.controlFiles ?? []), ...next.controlFiles])];
    return next;
  }

  /** Returns the preview. `pending`: the changes of sources that it includes. */
  async #previewOf(next: Snapshot, pending: readonly PendingChange[]): Promise<Preview> {
    const changes = this.#active === undefined ? [] : withPending(await next.changesSince(this.#active), pending);
    return { next, changes, digest: digestOf(changes) };
  }

  async #relist(source: RunningSource): Promise<void> {
    // Not in the queue: a source that hangs must not delay a reload.
    if (await source.list()) await this.#enqueue(() => this.#rejoin());
  }

  /** Joins the usable items of sources with the current tools of plugins. */
  async #rejoin(): Promise<Registry> {
    const base = this.#base ?? this.registry;
    return this.#swap(await this.#snapshot({ base }, undefined, this.#active), base);
  }

  #activate(next: Snapshot, base: Registry): void {
    this.#active = next;
    this.#base = base;
    this.#controlFiles = next.controlFiles;
    next.hold();
    this.registry = next.registry;
  }

  #swap(next: Snapshot, base: Registry): Registry {
    this.#activate(next, base);
    for (const listener of this.#listeners) listener(next.registry);
    return next.registry;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.catch(() => {}).then(work);
    this.#queue = done;
    return done;
  }
}

/** Adds the differences of changed source tools, and the changes of other items. */
function withPending(changes: readonly Change[], pending: readonly PendingChange[]): readonly Change[] {
  const tools = new Map(pending.filter(({ kind }) => kind === 'tool').map((change) => [change.name, change]));
  const told = changes.map((change) => (change.kind === 'tool' ? { ...change, ...differing(tools.get(change.tool.name)) } : change));
  const readable = pending.flatMap((change): Change[] => {
    const { kind } = change;
    return kind === 'tool' || kind === 'provider' ? [] : [{ kind, change: change.change, pending: change }];
  });
  return [...told, ...readable];
}

function differing(pending: PendingChange | undefined): { readonly differs?: readonly string[] } {
  return pending === undefined || pending.differs.length === 0 ? {} : { differs: pending.differs };
}

const notReviewedText =
  'it would make new or changed tools callable, and no person was asked. Its definition needs "activates: reload", so that a person is asked; or the operator restarts the server.';

const outdatedReviewText =
  'the tools or their code have changed since a person was asked. Call it again, so that a person sees the current ones.';
