/** Maximum number of files, folders and links of an archive; folders that an entry implies count too. */
export const maxEntries = 100_000;

/** Maximum number of entries in one result. */
export const maxListed = 10_000;
