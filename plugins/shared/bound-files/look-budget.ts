/** How much one call may have looked at, of all files that it names together. */
export interface LookBudget {
  /** Entries of folders that are still looked at. */
  entries: number;
  /** Bytes of files whose content is still read; of others size and times are compared. */
  bytes: number;
}

/** Returns what one call may have looked at: 10,000 entries of folders, and 64 MiB of content. */
export function lookBudget(): LookBudget {
  return { entries: 10_000, bytes: 64 * 1024 * 1024 };
}
