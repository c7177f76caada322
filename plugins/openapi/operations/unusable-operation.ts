import type { SkipReason } from './operation.ts';

/** A fault for which an operation is left out. Never leaves `readOperations`. */
export class UnusableOperation extends Error {
  readonly reason: SkipReason;

  /** `detail`: the place and the fault. */
  constructor(reason: SkipReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
