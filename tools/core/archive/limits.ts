/** Files, folders and links of an archive that is made or extracted, at most; folders that an entry only implies count too. */
export const maxEntries = 100_000;

/** Entries that an answer lists, at most. */
export const maxListed = 10_000;
