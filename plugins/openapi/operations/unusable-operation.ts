import type { LeftOutReason } from './operation.ts';

/** A fault for which an operation is left out. Never leaves `readOperations`. */
export class UnusableOperation extends Error {
  readonly reason: LeftOutReason;

  /** `detail`: the place and the fault. */
  constructor(reason: LeftOutReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
