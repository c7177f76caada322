import { createHash } from 'node:crypto';

/** Limit of a name with its prefix. */
const maxLength = 60;

/** Returns the names of tools here, without the prefix, by their names on the server. Characters that a name cannot have become `_`. */
export function toolNames(source: string, originals: readonly string[], rename: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const written = originals.map((original) => [original, plain(Object.hasOwn(rename, original) ? (rename[original] as string) : original)] as const);
  const counts = new Map<string, number>();
  for (const [, name] of written) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const room = maxLength - source.length - 1;
  return new Map(
    written.map(([original, name]) => {
      const isUnique = counts.get(name.toLowerCase()) === 1;
      if (isUnique && name.length <= room && name !== '') return [original, name];
      const hash = createHash('sha256').update(original).digest('hex').slice(0, 8);
      return [original, `${name.slice(0, room - hash.length - 1)}_${hash}`];
    }),
  );
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
