import { ToolkitError } from '../errors.ts';
import type { ExecutionType } from './execution-type.ts';
import { Registry } from './registry.ts';
import { type Change, digestOf, Snapshot } from './snapshot.ts';

/** What a reload would give. Nothing is swapped by looking. */
export interface Preview {
  readonly next: Snapshot;
  /** What would become callable, or do something else than before. */
  readonly changes: readonly Change[];
  /** Another one when the changes are others. */
  readonly digest: string;
}

/** The tools of this moment, and how others take their place: one discovery after the other. */
export class LiveRegistry {
  /** The tools of this moment. */
  registry = new Registry();
  readonly #discover: (previous: Registry | undefined, isCodeStale: boolean) => Promise<Registry>;
  readonly #types: ReadonlyMap<string, ExecutionType>;
  readonly #listeners = new Set<(registry: Registry) => void>();
  #active: Snapshot | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    discover: (previous: Registry | undefined, isCodeStale: boolean) => Promise<Registry>,
    types: ReadonlyMap<string, ExecutionType>,
  ) {
    this.#discover = discover;
    this.#types = types;
  }

  marks(): ReturnType<Snapshot['marks']> {
    return this.#active?.marks() ?? Promise.resolve(new Map());
  }

  /** The files with the code of the tools, as their execution types tell them. */
  get codeFiles(): readonly string[] {
    return this.#active?.codeFiles ?? [];
  }

  async open(): Promise<void> {
    this.#activate(await this.#snapshot());
  }

  /** Discovers and swaps, for hosts. */
  reload(isCodeStale = false): Promise<Registry> {
    return this.#inTurn(async () => this.#swap(await this.#snapshot(isCodeStale)));
  }

  preview(): Promise<Preview> {
    return this.#inTurn(async () => this.#previewOf(await this.#snapshot()));
  }

  /**
   * Swaps in exactly what was shown, for a model; without it, only what makes nothing callable that was not so before. Throws
   * APPROVAL_REQUIRED.
   */
  reloadShown(shown: Preview | undefined, tool: string): Promise<Registry> {
    return this.#inTurn(async () => {
      const next = shown === undefined ? await this.#snapshot() : await Snapshot.of(shown.next.registry, this.#types);
      const { changes, digest } = await this.#previewOf(next);
      if (changes.length > 0 && shown === undefined)
        throw new ToolkitError('APPROVAL_REQUIRED', `"${tool}" did not reload: ${unasked}`, { tool });
      if (changes.length > 0 && shown?.digest !== digest)
        throw new ToolkitError('APPROVAL_REQUIRED', `"${tool}" did not reload: ${outdated}`, { tool });
      return this.#swap(next);
    });
  }

  /** Returns the end of the subscription. */
  onReload(listener: (registry: Registry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #snapshot(isCodeStale = false): Promise<Snapshot> {
    return Snapshot.of(await this.#discover(this.#active?.registry, isCodeStale), this.#types);
  }

  async #previewOf(next: Snapshot): Promise<Preview> {
    const changes = this.#active === undefined ? [] : await next.changesSince(this.#active);
    return { next, changes, digest: digestOf(changes) };
  }

  #activate(next: Snapshot): void {
    this.#active = next;
    this.registry = next.registry;
  }

  #swap(next: Snapshot): Registry {
    this.#activate(next);
    for (const listener of this.#listeners) listener(next.registry);
    return next.registry;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.catch(() => {}).then(work);
    this.#turn = done;
    return done;
  }
}

const unasked =
  'it would make tools callable that are new or different, and nobody was asked. Its definition must say "activates: reload", so that a person is asked; or the operator restarts the server.';

const outdated =
  'the tools, or the code of those that were shown, have changed since a person was asked. Call it again, to have what is there now shown.';
