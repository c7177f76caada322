/** Returns the sum of members of all records. */
export function total<Key extends string>(records: readonly Readonly<Record<Key, unknown>>[], ...keys: readonly Key[]): number {
  return records.reduce((sum, record) => sum + keys.reduce((inner, key) => inner + Number(record[key] ?? 0), 0), 0);
}

/** Returns the value below which a share of the sorted numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
