/** Between names, also where `\` only stands between names on other systems. */
const separator = /[/\\]/;

const absolute = /^([/\\]|[A-Za-z]:)/;

/**
 * Whether a link at `place` (relative to a folder, with `/` between names) leads to something inside of that folder, by its text alone. `..` may
 * stand only at the beginning: behind a name it could start from where another link leads. Links that all keep to this lead nowhere else
 * together either.
 */
export function staysInside(target: string, place: string): boolean {
  if (target === '' || absolute.test(target)) return false;
  const steps = target.split(separator).filter((step) => step !== '' && step !== '.');
  const ups = steps.findIndex((step) => step !== '..');
  if (ups === -1) return steps.length <= depthOf(place);
  return ups <= depthOf(place) && !steps.includes('..', ups);
}

/** Folders between the top folder and this place. */
function depthOf(place: string): number {
  return place.split('/').length - 1;
}
