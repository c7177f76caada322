/** Returns the key, with leading underscores until it is free. */
export function freeKey(key: string, isTaken: (key: string) => boolean): string {
  return isTaken(key) ? freeKey(`_${key}`, isTaken) : key;
}
