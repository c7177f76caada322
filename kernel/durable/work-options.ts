/** Which durable calls a process makes. */
export interface WorkOptions {
  /** Calls at the same time, at least 1. */
  readonly concurrency: number;
  /** Names of tools, in which `*` stands for any characters. @default all */
  readonly tools?: readonly string[];
  /** Names of providers, likewise. @default all, and tools without one */
  readonly providers?: readonly string[];
}
