/** A place in the files and what is there. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A call that began, and whose end no record has: its process ended before, or it runs at this moment. */
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
  /** Without the folder. */
  readonly name: string;
  readonly records: number;
  readonly first?: { readonly seq: number; readonly time: string };
  readonly last?: { readonly seq: number; readonly time: string };
}

export interface VerifyReport {
  /** In the order of the chain. */
  readonly files: readonly string[];
  /** Records that verify. */
  readonly records: number;
  readonly first?: { readonly seq: number; readonly time: string };
  readonly last?: { readonly seq: number; readonly time: string };
  /** The chains of a folder, in place of `first` and `last`. */
  readonly segments?: readonly SegmentReport[];
  /**
   * The hash of the last record: noted elsewhere, it shows later whether records at the end were cut off. Of a folder, the hashes of its index
   * and its segments with commas between them.
   */
  readonly head?: string;
  /** The first hundred. Empty when the trail verifies. */
  readonly problems: readonly Finding[];
  readonly problemCount: number;
  /** What the trail itself says about its history, such as half a line after a crash. */
  readonly notes: readonly Finding[];
  /** The first hundred. They are no damage: the trail verifies with them. */
  readonly unfinished: readonly UnfinishedCall[];
  readonly unfinishedCount: number;
}
