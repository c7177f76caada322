export interface UnpackOptions {
  /** The archive. */
  readonly path: string;
  /** An empty folder. */
  readonly folder: string;
  /** Where all of it is going to be, a real path. */
  readonly destination: string;
  /** Of all files together. */
  readonly max_bytes: number;
}

export interface Unpacked {
  /** The first of them, folders with a `/` at the end. */
  readonly entries: readonly string[];
  /** All of them. */
  readonly total: number;
  readonly bytes: number;
}
