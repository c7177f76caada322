import type { Subject } from './subject.ts';

/** One thing that every plugin keeps. */
export interface ContractCheck {
  /** A claim about the plugin, such as `refuses an option that it does not know`. */
  readonly title: string;
  /** Throws, or rejects with, what is wrong and what to do; Unreached where that cannot be seen. */
  readonly run: (subject: Subject) => void | Promise<void>;
}

/** Ends a check with what is wrong and what to do. */
export function broken(message: string): never {
  throw new Error(message);
}

export function brokenIf(isBroken: boolean, message: string): void {
  if (isBroken) broken(message);
}
