import { isPlainObject, type Lookup, placeholdersIn, refuseValue, renderValue } from '../../../../kernel/index.ts';
import { isStyled, type Styled } from '../../definition/styled.ts';

/**
 * Refuses exploded objects that have a member named like a value that callers do not set: a fixed one, a credential, or one of
 * `further`. A service that reads the first or the last of two would take the caller's. Throws INVALID_PARAMETERS.
 */
export function refuseFixedNames(
  members: Readonly<Record<string, unknown>>,
  lookup: Lookup,
  isSupplied: (name: string) => boolean,
  further: Iterable<string> = [],
): void {
  const exploded = Object.entries(members).filter((entry): entry is [string, Styled] => isExploded(entry[1]));
  if (exploded.length === 0) return;
  const fixed = Object.keys(members).filter((key) => isFixed(members[key], isSupplied));
  const taken = new Set([...fixed, ...further]);
  for (const [key, { value: template }] of exploded) {
    const value = renderValue(template, lookup);
    const clash = isPlainObject(value) ? Object.keys(value).find((name) => name !== key && taken.has(name)) : undefined;
    if (clash !== undefined) refuseValue(placeholdersIn(template)[0] ?? key, `members other than "${clash}", which the tool sets itself`);
  }
}

function isExploded(member: unknown): boolean {
  if (!isStyled(member) || member.style === 'deepObject') return false;
  return member.explode === undefined ? (member.style ?? 'form') === 'form' : member.explode === true;
}

/** True for a value without a parameter of the caller in it, or with a credential. */
function isFixed(member: unknown, isSupplied: (name: string) => boolean): boolean {
  const names = placeholdersIn(isStyled(member) ? member.value : member);
  return names.length === 0 || names.some(isSupplied);
}
