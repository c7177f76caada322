import { messageOf } from '../errors.ts';
import type { Hooks, SecretSink } from '../hooks.ts';
import type { Logger } from '../log/logger.ts';
import { HookRun } from '../run.ts';
import { isGuessable } from './guessable.ts';
import { type Redactor, shortestMasked } from './redact.ts';
import type { Secret, SecretStore } from './secret.ts';
import { lifeOf } from './secret-life.ts';

/** How long a store is left alone after it was asked for a fresh value of a name, or only to know what is missing, in milliseconds. */
const minRenewMs = 10_000;

interface ChainServices {
  readonly hooks: Hooks;
  readonly store: SecretStore;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Time limit of one batch. */
  readonly timeoutMs: number;
  /** Epoch ms. */
  readonly now: () => number;
  /** False for a name whose value may be seen. */
  readonly isSecret: (name: string) => boolean;
}

/** Asks the resolvers for what the store lacks, one batch at a time, and again for what is past its time to live. */
export class SecretChain {
  readonly #services: ChainServices;
  /** By name, when a fresh value was last asked for. Epoch ms. */
  readonly #renewedAt = new Map<string, number>();
  /** By name, when `lacking` last asked for it. Epoch ms. */
  readonly #lookedUpAt = new Map<string, number>();
  /** Names that no resolver had, when all of them were asked last. */
  readonly #missing = new Set<string>();
  /** Names of which the log said that their values can be guessed. */
  readonly #guessable = new Set<string>();
  #batch: Promise<void> = Promise.resolve();
  #renewal: Promise<void> | undefined;

  constructor(services: ChainServices) {
    this.#services = services;
  }

  /** False for a name whose value may be seen. */
  isSecret(name: string): boolean {
    return this.#services.isSecret(name);
  }

  /** The newest value known, also while it is being renewed. */
  get(name: string): Secret | undefined {
    return this.#services.store.get(name);
  }

  /** True for a handle of a store whose value is worthless by now. */
  isDead(handle: Secret): boolean {
    return this.#services.store.isDead(handle);
  }

  /** True for a handle that came from a store, and not with a call. */
  hasIssued(handle: Secret | undefined): boolean {
    return handle !== undefined && this.#services.store.issued(handle);
  }

  /**
   * Resolves what is not known yet, or dead. What is stale is renewed without waiting. Throws SECRET_STORE_UNAVAILABLE when a
   * resolver fails. A name that no resolver has stays missing.
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
   * Those of the names that no resolver has. Asks for what is not known, each name once in a while. A name is not among them while its
   * resolvers cannot be asked: that is logged.
   */
  async findMissing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const unknown = [...new Set(names)].filter((name) => !this.#services.store.has(name));
    const due = this.#markDue(unknown, this.#lookedUpAt);
    await this.ensure(due).catch((error: unknown) =>
      this.#services.logger.warn(`it is not known which secrets are missing: ${messageOf(error)}`, { names: due }),
    );
    // Somebody else may be asking.
    if (unknown.some((name) => !this.#services.store.has(name) && !this.#missing.has(name))) await this.#batch.catch(() => {});
    return new Set(names.filter((name) => this.#missing.has(name)));
  }

  /** Asks the stores themselves, past every cache, for values that a service refused: each name once in a while. */
  async renew(names: readonly string[]): Promise<void> {
    const due = this.#markDue(names, this.#renewedAt);
    await this.#enqueue(() => this.#resolve(due, true));
  }

  /** Those that were not asked for a while ago, from now on noted as asked for. */
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

  /** In the background, one renewal at a time. Where it fails, the next call asks again, and waits for the answer. */
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

  /** The sink of one resolver, bound by the guard. */
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
