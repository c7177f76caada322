/** Paths that an output names for each kind, at most. */
const maxPaths = 20;

export interface NamedPaths {
  /** Null when there were too many to list. */
  readonly count: number | null;
  /** The first of them, relative to the top folder. */
  readonly paths: readonly string[];
}

/** Counts paths and takes the first of them. Undefined when there is none. `paths`: undefined when there were too many to list. */
export function namedPaths(paths: readonly string[] | undefined): NamedPaths | undefined {
  if (paths === undefined) return { count: null, paths: [] };
  // A file in conflict has several records.
  const different = [...new Set(paths)];
  return different.length === 0 ? undefined : { count: different.length, paths: different.slice(0, maxPaths) };
}
