/**
 * Returns the shortest value of `--tools` that offers exactly the chosen tools: `slack_*` when every known tool with that prefix is chosen,
 * else single names. Undefined when all are chosen.
 */
export function toolEntries(chosen: readonly string[], known: readonly string[]): readonly string[] | undefined {
  const wanted = new Set(chosen);
  if (known.every((name) => wanted.has(name))) return undefined;
  const knownWith = countsOf(known);
  const chosenWith = countsOf([...wanted]);
  const entryOf = (name: string): string => {
    const prefix = prefixesOf(name).find((own) => knownWith.get(own) === chosenWith.get(own));
    return prefix === undefined || knownWith.get(prefix) === 1 ? name : `${prefix}*`;
  };
  return [...new Set(chosen.map(entryOf))];
}

/** Counts the names by prefix. */
function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const prefix of names.flatMap(prefixesOf)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  return counts;
}

/** Returns the prefixes of a name, up to each underscore: `slack_`, `slack_send_`, … */
function prefixesOf(name: string): string[] {
  return [...name.matchAll(/_/g)].map(({ index }) => name.slice(0, index + 1));
}
