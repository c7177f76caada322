import { ToolkitError } from '../errors.ts';
import type { RunningSource } from '../source/running-source.ts';
import type { PendingChange } from '../source/source.ts';
import type { Listings, Sources } from '../source/sources.ts';
import type { ExecutionType } from './execution-type.ts';
import { Registry } from './registry.ts';
import { type Change, digestOf, Snapshot } from './snapshot.ts';

/** The outcome of one discovery. */
interface DiscoveryResult {
  /** The tools of plugins. */
  readonly base: Registry;
  readonly listings: Listings;
}

/** What a reload would give. Nothing is swapped by looking. */
export interface Preview {
  readonly next: Snapshot;
  /** What would become callable, or do something else than before. */
  readonly changes: readonly Change[];
  /** Another one when the changes are others. */
  readonly digest: string;
}

/** Reads all definitions. `isShown`: a person sees what is new before it counts. */
type Discover = (previous: Registry | undefined, isCodeStale: boolean, isShown: boolean) => Promise<Registry>;

/** The tools of this moment, and how others take their place: one discovery after the other. */
export class LiveRegistry {
  /** The tools of this moment. */
  registry = new Registry();
  readonly #discover: Discover;
  readonly #types: ReadonlyMap<string, ExecutionType>;
  readonly #sources: Sources;
  /** The tools of plugins, without those of sources. */
  #base: Registry | undefined;
  /** By preview, the tools of plugins and the listings of sources that it shows. */
  readonly #previewed = new WeakMap<Preview, DiscoveryResult>();
  readonly #listeners = new Set<(registry: Registry) => void>();
  #active: Snapshot | undefined;
  #controlFiles: readonly string[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(discover: Discover, types: ReadonlyMap<string, ExecutionType>, sources: Sources) {
    this.#discover = discover;
    this.#types = types;
    this.#sources = sources;
  }

  /** Those of the active tools, and one for each tool that is withheld because it has changed. */
  async fingerprints(): ReturnType<Snapshot['fingerprints']> {
    const changed = this.#sources.pending.filter(({ change, kind }) => change === 'changed' && (kind === 'tool' || kind === 'provider'));
    return new Map([
      ...((await this.#active?.fingerprints()) ?? []),
      ...changed.map(({ kind, name }) => [`${kind} ${name}`, 'withheld'] as const),
    ]);
  }

  /** Places that tools leave alone, as the last discovery found them, and the one whose tools are those of this moment. */
  get controlFiles(): readonly string[] {
    return this.#controlFiles;
  }

  /** Throws PLUGIN_INVALID for a source in whose namespace somebody else has a name. */
  async open(): Promise<void> {
    const found = await this.#find();
    this.#sources.refuseTaken(found.base);
    this.#activate(await this.#snapshot(found), found.base);
    this.#sources.watch((source) => this.#relist(source));
  }

  /** Discovers and swaps, for hosts. What is different in a source stays withheld. */
  reload(isCodeStale = false): Promise<Registry> {
    return this.#enqueue(async () => {
      const found = await this.#find(isCodeStale);
      return this.#swap(await this.#snapshot(found), found.base);
    });
  }

  /** What a reload would give to which a person agrees: with all that is withheld of sources. */
  preview(): Promise<Preview> {
    return this.#enqueue(async () => {
      const found = await this.#find(false, true);
      const preview = await this.#previewOf(await this.#snapshot(found, found.listings), this.#sources.pendingOf(found.listings));
      this.#previewed.set(preview, found);
      return preview;
    });
  }

  /** Takes what is withheld of sources, all of it or what has these names: somebody has seen it. Throws NOT_FOUND for a name of nothing that is. */
  accept(names?: readonly string[]): Promise<Registry> {
    return this.#enqueue(async () => {
      this.#sources.accept(names);
      return this.#rejoin();
    });
  }

  /** Lists one source again, and no other. Throws NOT_FOUND. */
  async relist(name: string): Promise<Registry> {
    await this.#relist(this.#sources.get(name));
    return this.registry;
  }

  /**
   * Swaps in exactly what was shown, for a model; without it, only what makes nothing callable that was not so before. Throws
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
      this.#sources.accept(found.listings);
      // A source may list something else by now, which nobody has seen.
      return this.#swap(await this.#snapshot(found, undefined, next), found.base);
    });
  }

  /** Returns the end of the subscription. */
  onReload(listener: (registry: Registry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Discovery and the listings of sources, side by side. */
  async #find(isCodeStale = false, isShown = false): Promise<DiscoveryResult> {
    const [base] = await Promise.all([this.#discover(this.#base, isCodeStale, isShown), this.#sources.listAll()]);
    return { base, listings: this.#sources.listings };
  }

  async #snapshot({ base }: Pick<DiscoveryResult, 'base'>, shown?: Listings, same?: Snapshot): Promise<Snapshot> {
    const next = await Snapshot.of(await this.#sources.join(base, shown), this.#types, same);
    // What is to be shown must stay as it is until a person has answered.
    this.#controlFiles = [...new Set([...(this.#active?.controlFiles ?? []), ...next.controlFiles])];
    return next;
  }

  /** `pending`: what of sources would be taken with it. */
  async #previewOf(next: Snapshot, pending: readonly PendingChange[]): Promise<Preview> {
    const changes = this.#active === undefined ? [] : withPending(await next.changesSince(this.#active), pending);
    return { next, changes, digest: digestOf(changes) };
  }

  async #relist(source: RunningSource): Promise<void> {
    // Not in turn: a source that hangs must not keep a reload waiting.
    if (await source.list()) await this.#enqueue(() => this.#rejoin());
  }

  /** Puts what may be used of sources beside the tools of plugins as they are. */
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

/** Says of changed tools of sources how they differ, and adds what is no tool and no provider. */
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
  'it would make tools callable that are new or different, and nobody was asked. Its definition must say "activates: reload", so that a person is asked; or the operator restarts the server.';

const outdatedReviewText =
  'the tools, or the code of those that were shown, have changed since a person was asked. Call it again, to have what is there now shown.';
