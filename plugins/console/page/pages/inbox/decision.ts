import type { HeldRefusal } from '../../../../../kernel/index.ts';

/** A confirmed decision. `reason` and `hold` only with a no. */
export interface Decision {
  readonly approve: boolean;
  readonly reason?: string;
  readonly hold?: HeldRefusal;
}
