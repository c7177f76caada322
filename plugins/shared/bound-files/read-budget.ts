/** Read budget of one call, shared by all files that it names. */
export interface ReadBudget {
  /** Folder entries that may still be read. */
  entries: number;
  /** Bytes of file content that may still be read. Files beyond it are compared by size and times. */
  bytes: number;
}

/** Returns a new budget: 10,000 folder entries and 64 MiB of content. */
export function newReadBudget(): ReadBudget {
  return { entries: 10_000, bytes: 64 * 1024 * 1024 };
}
