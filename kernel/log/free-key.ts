/** The key, behind as many underscores as it takes to be free. */
export function freeKey(key: string, isTaken: (key: string) => boolean): string {
  return isTaken(key) ? freeKey(`_${key}`, isTaken) : key;
}
