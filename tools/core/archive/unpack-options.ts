export interface UnpackOptions {
  /** Archive file. */
  readonly path: string;
  /** Empty folder to write to. */
  readonly folder: string;
  /** Real path of the final destination. */
  readonly destination: string;
  /** Maximum size of all files together. */
  readonly max_bytes: number;
}

export interface Unpacked {
  /** First entries, folders with a `/` at the end. */
  readonly entries: readonly string[];
  /** Number of all entries. */
  readonly total: number;
  readonly bytes: number;
}
