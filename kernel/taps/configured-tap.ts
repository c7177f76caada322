/** A tap as `kernel.tapsOf` lists it. */
export interface ConfiguredTap {
  readonly name: string;
  readonly plugin: string;
  /** The execution type, for `execute`; `*` for all of them. */
  readonly key?: string;
  readonly stage: number;
  readonly before: readonly string[];
}
