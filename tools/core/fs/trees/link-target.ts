/** Separator between names; `\` too, because other systems use it. */
const separator = /[/\\]/;

const absolute = /^([/\\]|[A-Za-z]:)/;

/**
 * Returns true when the text of a link at `path` (relative to a folder, with `/` between names) leads to an entry inside that
 * folder. `..` may only come first: after a name, it could continue from the target of another link. When all links follow this
 * rule, no chain of them leads outside.
 */
export function staysInside(target: string, path: string): boolean {
  if (target === '' || absolute.test(target)) return false;
  const steps = target.split(separator).filter((step) => step !== '' && step !== '.');
  const ups = steps.findIndex((step) => step !== '..');
  if (ups === -1) return steps.length <= depthOf(path);
  return ups <= depthOf(path) && !steps.includes('..', ups);
}

/** Returns the number of folders between the top folder and the path. */
function depthOf(path: string): number {
  return path.split('/').length - 1;
}
