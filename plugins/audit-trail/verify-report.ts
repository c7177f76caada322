/** A location in the files, and the problem or note there. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A call with an intent record and no end record: its process ended before, or it runs now. */
export interface UnfinishedCall {
  readonly file: string;
  readonly line: number;
  readonly time: string;
  readonly tool: string;
  readonly caller: string;
  readonly callId: string;
}

/** One chain of a folder. */
export interface SegmentReport {
  /** File name, without the folder. */
  readonly name: string;
  readonly records: number;
  readonly first?: { readonly seq: number; readonly time: string };
  readonly last?: { readonly seq: number; readonly time: string };
}

export interface VerifyReport {
  /** In chain order. */
  readonly files: readonly string[];
  /** Records that verify. */
  readonly records: number;
  readonly first?: { readonly seq: number; readonly time: string };
  readonly last?: { readonly seq: number; readonly time: string };
  /** The chains of a folder. A folder has no `first` and `last`. */
  readonly segments?: readonly SegmentReport[];
  /**
   * The hash of the last record. Noted elsewhere, it proves later whether records at the end were cut off. For a folder: the hashes of its index
   * and its segments, separated by commas.
   */
  readonly head?: string;
  /** The first 100 problems. Empty when the trail verifies. */
  readonly problems: readonly Finding[];
  readonly problemCount: number;
  /** Events that the trail records about itself, such as half a line after a crash. */
  readonly notes: readonly Finding[];
  /** The first 100 unfinished calls. They are not damage: the trail verifies with them. */
  readonly unfinished: readonly UnfinishedCall[];
  readonly unfinishedCount: number;
}
