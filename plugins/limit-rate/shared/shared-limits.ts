import type { JsonObject, Liveness, Logger, StateStore } from '../../../kernel/index.ts';
import { StoreWatch } from '../../shared/cluster/store-watch.ts';
import type { WaitLimits } from '../limit.ts';
import {
  type EnteringCall,
  type LimitedCall,
  type Limits,
  LimitsByDefinition,
  type OwnedLimit,
  refuseFull,
  statusOf,
  tooManyError,
} from '../limits.ts';
import { SharedAdmission } from './shared-admission.ts';
import { SharedLimit, slotsPrefix } from './shared-limit.ts';

/** Time limit of a call without one in its definition, which no fenced limit has, in milliseconds. */
const unknownTimeoutMs = 60_000;

/** The limits of all processes that share a store. */
export class SharedLimits implements Limits {
  readonly #limits = new LimitsByDefinition<SharedLimit>();
  readonly #byId = new Map<string, SharedLimit>();
  readonly #state: StateStore;
  readonly #member: Liveness;
  readonly #logger: Logger;
  readonly #waitLimits: WaitLimits;
  /** Slots that are being given back. */
  readonly #work = new Set<Promise<unknown>>();
  readonly #watch: StoreWatch;

  constructor(waitLimits: WaitLimits, { state, logger }: { readonly state: StateStore; readonly logger: Logger }) {
    this.#state = state;
    this.#member = state.join(() => {
      for (const { slots } of this.#limits.values()) slots?.onReturn();
    });
    this.#watch = new StoreWatch(state, slotsPrefix, (key) => {
      const id = key.slice(slotsPrefix.length, key.lastIndexOf('/'));
      this.#byId.get(id)?.slots?.onChange();
    });
    this.#logger = logger;
    this.#waitLimits = waitLimits;
  }

  admit(call: LimitedCall, owned: readonly OwnedLimit[]): EnteringCall {
    const limits = owned.map((one) => this.#limits.of(one, (key) => this.#make(key, one)));
    refuseFull(call, limits, this.#waitLimits);
    const steps = limits.flatMap((limit) => limit.steps.map((step) => ({ limit, step })));
    return new SharedAdmission(
      steps.map(({ step }) => step),
      {
        tenant: call.tenant,
        timeoutMs: call.tool.definition.execution.timeout_ms ?? unknownTimeoutMs,
        beforeWait: (step) => {
          const { limit } = steps.find((one) => one.step === step) ?? {};
          if (limit !== undefined && this.#waitLimits.maxWaiting === 0) throw tooManyError(call.tool, limit, { waiting: 0, scope: 'all' });
          // Without the watch, waiting calls poll.
          if (step === limit?.slots) this.#watch.open().catch(() => {});
        },
      },
    );
  }

  status(): JsonObject {
    return statusOf(this.#limits.values());
  }

  async close(calls: Iterable<EnteringCall>): Promise<void> {
    for (const call of calls) call.end();
    await this.#watch.close();
    await Promise.all(this.#work);
    for (const { slots } of this.#limits.values()) slots?.close();
  }

  #make(key: string, owned: OwnedLimit): SharedLimit {
    const limit = new SharedLimit(this.#state, key, owned, {
      member: this.#member,
      hold: (work) => {
        this.#work.add(work);
        void work.finally(() => this.#work.delete(work));
      },
      onLost: (count) =>
        this.#logger.warn(
          `${count} running calls of ${owned.owner} were without a slot, because this process was cut off from the store: more than "concurrency" may run until they end`,
        ),
    });
    this.#byId.set(limit.id, limit);
    return limit;
  }
}
