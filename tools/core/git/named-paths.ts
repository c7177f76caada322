/** Maximum number of paths for each kind in an output. */
const maxPaths = 20;

export interface NamedPaths {
  /** Number of paths; null when there were too many to list. */
  readonly count: number | null;
  /** First paths, relative to the top folder. */
  readonly paths: readonly string[];
}

/**
 * Counts paths and takes the first of them. Returns undefined for an empty list. `paths`: undefined when there were too many to
 * list.
 */
export function namedPaths(paths: readonly string[] | undefined): NamedPaths | undefined {
  if (paths === undefined) return { count: null, paths: [] };
  // A file in conflict has several records.
  const different = [...new Set(paths)];
  return different.length === 0 ? undefined : { count: different.length, paths: different.slice(0, maxPaths) };
}
