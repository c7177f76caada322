import { messageOf } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import type { HookContext } from '../taps/hook-context.ts';
import { HookRun } from '../taps/hook-run.ts';
import { isGuessable } from './guessable.ts';
import { type Redactor, shortestMasked } from './redact.ts';
import type { Secret, SecretStore } from './secret.ts';
import { lifeOf } from './secret-life.ts';
import type { SecretSink } from './secret-sink.ts';

/** Minimum time between two fresh lookups of a name, and between two lookups of a missing name, in milliseconds. */
const minRenewMs = 10_000;

interface ChainServices {
  readonly hooks: { readonly resolveSecrets: { promise(sink: SecretSink, context: HookContext): Promise<void> } };
  readonly store: SecretStore;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Time limit of one batch, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns the time in epoch ms. */
  readonly now: () => number;
  /** False for a name whose value may be shown. */
  readonly isSecret: (name: string) => boolean;
}

/** Asks the resolvers for values that are not in the store, or stale in it. One batch runs at a time. */
export class SecretChain {
  readonly #services: ChainServices;
  /** Time of the last fresh lookup by name, in epoch ms. */
  readonly #renewedAt = new Map<string, number>();
  /** Time of the last lookup by `findMissing` by name, in epoch ms. */
  readonly #lookedUpAt = new Map<string, number>();
  /** Names that no resolver had at the last lookup. */
  readonly #missing = new Set<string>();
  /** Names for which the warning about a guessable value was logged. */
  readonly #guessable = new Set<string>();
  #batch: Promise<void> = Promise.resolve();
  #renewal: Promise<void> | undefined;

  constructor(services: ChainServices) {
    this.#services = services;
  }

  /** False for a name whose value may be shown. */
  isSecret(name: string): boolean {
    return this.#services.isSecret(name);
  }

  /** Returns the newest known value, also a stale one while it is renewed. */
  get(name: string): Secret | undefined {
    return this.#services.store.get(name);
  }

  /** True for a handle of the store whose value has expired. */
  isDead(handle: Secret): boolean {
    return this.#services.store.isDead(handle);
  }

  /** True for a handle of the store, false for one that came with a call. */
  hasIssued(handle: Secret | undefined): boolean {
    return handle !== undefined && this.#services.store.issued(handle);
  }

  /**
   * Resolves names without a usable value, and renews stale values in the background. A name that no resolver has stays missing. Throws
   * SECRET_STORE_UNAVAILABLE when a resolver fails.
   */
  async ensure(names: readonly string[]): Promise<void> {
    this.#renewExpired();
    if (names.every((name) => this.#services.store.has(name))) return;
    await this.#enqueue(() =>
      this.#resolve(
        names.filter((name) => !this.#services.store.has(name)),
        false,
      ),
    );
  }

  /**
   * Returns the names that no resolver has. Looks up unknown names, each at most once in `minRenewMs`. If a lookup fails, it is logged, and its
   * names are not returned.
   */
  async findMissing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const unknown = [...new Set(names)].filter((name) => !this.#services.store.has(name));
    const due = this.#markDue(unknown, this.#lookedUpAt);
    await this.ensure(due).catch((error: unknown) =>
      this.#services.logger.warn(`it is not known which secrets are missing: ${messageOf(error)}`, { names: due }),
    );
    // Another caller may be looking them up.
    if (unknown.some((name) => !this.#services.store.has(name) && !this.#missing.has(name))) await this.#batch.catch(() => {});
    return new Set(names.filter((name) => this.#missing.has(name)));
  }

  /** Asks the stores past every cache, after a service refused a value. Each name at most once in `minRenewMs`. */
  async renew(names: readonly string[]): Promise<void> {
    const due = this.#markDue(names, this.#renewedAt);
    await this.#enqueue(() => this.#resolve(due, true));
  }

  /** Returns the names whose last lookup is at least `minRenewMs` ago, and records a lookup for them. */
  #markDue(names: readonly string[], askedAt: Map<string, number>): readonly string[] {
    const now = this.#services.now();
    const due = names.filter((name) => now - (askedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= minRenewMs);
    for (const name of due) askedAt.set(name, now);
    return due;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const next = this.#batch.catch(() => {}).then(work);
    this.#batch = next;
    return next;
  }

  /** Renews stale values in the background, one renewal at a time. If it fails, the next call looks them up and waits. */
  #renewExpired(): void {
    const expired = this.#services.store.expired();
    if (expired.length === 0 || this.#renewal !== undefined) return;
    this.#renewal = this.#enqueue(() => this.#resolve(expired, false))
      .catch((error: unknown) => {
        this.#services.logger.warn(`secrets could not be renewed: ${messageOf(error)}`, { names: expired });
        for (const name of expired) this.#services.store.delete(name);
      })
      .finally(() => {
        this.#renewal = undefined;
      });
  }

  async #resolve(wanted: readonly string[], isFresh: boolean): Promise<void> {
    if (wanted.length === 0) return;
    const missing = new Set(wanted);
    const run = new HookRun(this.#services.logger, (value) => this.#services.redactor.value(value));
    const sink = this.#sinkOf('', missing, isFresh);
    await run.stage('resolveSecrets', this.#services.timeoutMs, () => this.#services.hooks.resolveSecrets.promise(sink, run));
    for (const name of missing) this.#services.store.delete(name);
    for (const name of missing) this.#missing.add(name);
    if (missing.size > 0) this.#services.logger.debug('secrets not found', { names: [...missing] });
  }

  /** Returns the sink of one resolver. The guard binds it. */
  #sinkOf(resolver: string, missing: Set<string>, isFresh: boolean): SecretSink & { as(plugin: string): SecretSink } {
    return {
      get missing() {
        return [...missing];
      },
      isFresh,
      provide: (name, value, life) => {
        if (!missing.has(name) || value === '' || lifeOf(life).deadAfterMs <= 0) return;
        missing.delete(name);
        this.#missing.delete(name);
        const secret = this.#services.store.set(name, value, { resolver, life });
        if (this.#services.isSecret(name)) this.#mask(secret, value);
        this.#services.logger.debug('secret resolved', { name, resolver });
      },
      as: (name) => this.#sinkOf(name, missing, isFresh),
    };
  }

  #mask(secret: Secret, value: string): void {
    if (!isGuessable(value)) {
      this.#services.redactor.add(secret);
      return;
    }
    if (this.#guessable.has(secret.name)) return;
    this.#guessable.add(secret.name);
    const what =
      value.length < shortestMasked
        ? `has fewer than ${shortestMasked} characters and is masked nowhere: outputs, logs and records show it`
        : 'has fewer than eight characters, or digits alone: it can be guessed, and is masked only in calls that use it';
    this.#services.logger.warn(`the value of secret ${secret.name} ${what}. Give it a longer value.`, { name: secret.name });
  }
}
