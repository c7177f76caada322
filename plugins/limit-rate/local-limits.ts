import type { JsonObject } from '../../kernel/index.ts';
import { Admission } from './admission.ts';
import { Limit, type WaitLimits } from './limit.ts';
import { type EnteringCall, type LimitedCall, type Limits, LimitsByDefinition, type OwnedLimit, refuseFull, statusOf } from './limits.ts';

/** The limits of this process. */
export class LocalLimits implements Limits {
  readonly #limits = new LimitsByDefinition<Limit>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waitLimits: WaitLimits;

  constructor(waitLimits: WaitLimits) {
    this.#waitLimits = waitLimits;
  }

  admit(call: LimitedCall, owned: readonly OwnedLimit[]): EnteringCall {
    const limits = owned.map((one) => this.#limits.of(one, () => new Limit(one.owner, one.declared)));
    refuseFull(call, limits, this.#waitLimits);
    return new Admission(call.tenant, limits, (giveBack, ms) => this.#schedule(giveBack, ms));
  }

  status(): JsonObject {
    return statusOf(this.#limits.values());
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #schedule(giveBack: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      giveBack();
    }, ms);
    this.#timers.add(timer.unref());
  }
}
