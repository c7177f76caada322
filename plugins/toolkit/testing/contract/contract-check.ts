import type { Subject } from './subject.ts';

/** A behaviour that every plugin must have. */
export interface ContractCheck {
  /** A claim about the plugin, such as `refuses an option that it does not know`. */
  readonly title: string;
  /** Throws or rejects with the problem and what to do; with Unreached when it cannot be checked. */
  readonly run: (subject: Subject) => void | Promise<void>;
}

/** Fails a check with the problem and what to do. */
export function fail(message: string): never {
  throw new Error(message);
}

export function failIf(isBroken: boolean, message: string): void {
  if (isBroken) fail(message);
}
