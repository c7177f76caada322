/** RFC 6901: the texts, lists and objects of a whole of which its part has less. Throws where the part has something else. */
export function missing(whole: unknown, part: unknown, pointer = ''): string[] {
  const fail = (): never => {
    throw new Error(`at "${pointer}": ${JSON.stringify(part)?.slice(0, 100)} is no part of ${JSON.stringify(whole)?.slice(0, 100)}`);
  };
  if (typeof whole === 'string' && typeof part === 'string') {
    if (!whole.startsWith(part)) return fail();
    return whole === part ? [] : [pointer];
  }
  if (typeof whole !== 'object' || whole === null || typeof part !== 'object' || part === null) return whole === part ? [] : fail();
  if (Array.isArray(whole) !== Array.isArray(part)) return fail();
  const names = Object.keys(whole);
  const left = Object.keys(part);
  if (left.join('\n') !== names.filter((name) => left.includes(name)).join('\n')) return fail();
  if (Array.isArray(part) && part.length !== left.length) return fail();
  const inside = left.flatMap((name) =>
    missing(
      (whole as Record<string, unknown>)[name],
      (part as Record<string, unknown>)[name],
      `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    ),
  );
  return [...(left.length < names.length ? [pointer] : []), ...inside];
}
