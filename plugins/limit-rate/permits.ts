import { FairLine } from '../shared/fairness/fair-line.ts';

/** A number of permits, and a line of those who wait for one. */
export class Permits {
  readonly #count: number;
  readonly #line = new FairLine<() => void>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Those who wait for one. */
  get line(): Pick<FairLine<unknown>, 'size' | 'sizeOf' | 'sizes'> {
    return this.#line;
  }

  /** Whoever takes one now has it at once. */
  get isFree(): boolean {
    return this.#taken < this.#count;
  }

  /** Calls `granted` when there is a permit, before it returns if there is one now. When `leaving` aborts, the place in the line is given up. */
  take(tenant: string, leaving: AbortSignal, granted: (giveBack: () => void) => void): void {
    const hold = (): void => {
      this.#taken++;
      granted(() => {
        this.#taken--;
        this.#line.next()?.();
      });
    };
    if (this.isFree) {
      hold();
      return;
    }
    this.#line.add(tenant, hold);
    leaving.addEventListener('abort', () => this.#line.remove(tenant, hold), { once: true });
  }
}
