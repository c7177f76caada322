import type { Hooks, SecretSink } from './hooks.ts';
import type { Logger } from './logger.ts';
import type { Redactor } from './redact.ts';
import { HookRun } from './run.ts';
import type { Secret, SecretStore } from './secrets.ts';

/** Asks the resolvers for what the store lacks, one batch at a time. */
export class SecretChain {
  readonly #hooks: Hooks;
  readonly #store: SecretStore;
  readonly #redactor: Redactor;
  readonly #logger: Logger;
  readonly #timeoutMs: number;
  #batch: Promise<void> = Promise.resolve();

  constructor(hooks: Hooks, store: SecretStore, redactor: Redactor, logger: Logger, timeoutMs: number) {
    this.#hooks = hooks;
    this.#store = store;
    this.#redactor = redactor;
    this.#logger = logger;
    this.#timeoutMs = timeoutMs;
  }

  get(name: string): Secret | undefined {
    return this.#store.get(name);
  }

  /** Throws SECRET_STORE_UNAVAILABLE when a resolver fails. A name that no resolver has stays missing. */
  async ensure(names: readonly string[]): Promise<void> {
    if (names.every((name) => this.#store.get(name) !== undefined)) return;
    const next = this.#batch.catch(() => {}).then(() => this.#resolve(names.filter((name) => this.#store.get(name) === undefined)));
    this.#batch = next;
    await next;
  }

  async #resolve(wanted: readonly string[]): Promise<void> {
    if (wanted.length === 0) return;
    const missing = new Set(wanted);
    const run = new HookRun(this.#logger, (value) => this.#redactor.value(value));
    await run.stage('resolveSecrets', this.#timeoutMs, () => this.#hooks.resolveSecrets.promise(this.#sinkOf('', missing), run));
    if (missing.size > 0) this.#logger.debug('secrets not found', { names: [...missing] });
  }

  /** The sink of one resolver, bound by the guard. */
  #sinkOf(plugin: string, missing: Set<string>): SecretSink & { as(plugin: string): SecretSink } {
    return {
      get missing() {
        return [...missing];
      },
      isFresh: false,
      provide: (name, value, ttlMs) => {
        if (!missing.has(name) || value === '') return;
        missing.delete(name);
        this.#redactor.add(this.#store.set(name, value, ttlMs));
        this.#logger.debug('secret resolved', { name, resolver: plugin });
      },
      as: (name) => this.#sinkOf(name, missing),
    };
  }
}
