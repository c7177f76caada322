import { isPlainObject } from '../json/json.ts';
import { asJson, type Finding, list, schemaAt, valueAt } from './validator-finding.ts';

/**
 * Removes findings of union branches with which the object shares no key, if it shares one with another branch. Branches with a distinct `type` are
 * left to `chosenBranches`.
 */
export function withoutForeign(findings: readonly Finding[], schema: object, root: unknown): readonly Finding[] {
  return findings.filter(isUnion).reduce((remaining, union) => {
    const prefix = `${union.schemaPath}/${union.keyword}/`;
    const value = valueAt(root, union.instancePath);
    const branches = schemaAt(schema, `${union.schemaPath}/${union.keyword}`);
    if (!isPlainObject(value) || !Array.isArray(branches)) return remaining;
    const known = branches.map((branch: unknown) => (isPlainObject(branch) ? branch['properties'] : undefined));
    const hasNothing = (properties: unknown): boolean =>
      isPlainObject(properties) && !('type' in properties) && !Object.keys(properties).some((name) => Object.hasOwn(value, name));
    const foreign = known.flatMap((properties, index) => (hasNothing(properties) ? [`${prefix}${index}`] : []));
    if (foreign.length >= branches.filter(mayBeObject).length) return remaining;
    return remaining.filter(({ schemaPath }) => !foreign.some((branch) => schemaPath === branch || schemaPath.startsWith(`${branch}/`)));
  }, findings);
}

function mayBeObject(branch: unknown): boolean {
  return !isPlainObject(branch) || branch['type'] === undefined || list(branch['type']).includes('object');
}

/** Keeps only the findings of the intended branch, for a union whose branches have a distinct `type`. */
export function chosenBranches(findings: readonly Finding[], schema: object): readonly Finding[] {
  return findings.filter(isUnion).reduce((remaining, union) => {
    const prefix = `${union.schemaPath}/${union.keyword}/`;
    const branchOf = ({ schemaPath }: Finding): string | undefined =>
      schemaPath.startsWith(prefix) ? schemaPath.slice(prefix.length).split('/')[0] : undefined;
    const isWrongKind = (finding: Finding): boolean => finding.keyword === 'type' && finding.instancePath === union.instancePath;
    const isWrongType = (finding: Finding): boolean =>
      (finding.keyword === 'const' && finding.instancePath === `${union.instancePath}/type`) ||
      (finding.keyword === 'required' &&
        finding.instancePath === union.instancePath &&
        list(finding.params['requiredProperties']).includes('type'));
    const inside = remaining.filter((finding) => branchOf(finding) !== undefined);
    const outside = remaining.filter((finding) => branchOf(finding) === undefined);
    const wrongKind = new Set(inside.filter(isWrongKind).map(branchOf));
    if (!inside.some(isWrongType)) {
      const forms = formsOf(
        inside.filter((finding) => finding.instancePath === union.instancePath && !isUnion(finding)),
        branchOf,
      );
      const branches = new Set(inside.map(branchOf));
      if (wrongKind.size > 0 && forms.length === branches.size) {
        const type = [...new Set(forms.flat())].slice(0, maxForms);
        return [...outside, { ...union, keyword: 'type', params: { type } }];
      }
      if (branches.size === wrongKind.size) return [...outside, ...inside.filter((finding) => !isUnion(finding)).slice(0, 1)];
      return remaining.filter((finding) => !wrongKind.has(branchOf(finding)));
    }
    const others = new Set(inside.filter((finding) => isWrongType(finding) || isWrongKind(finding)).map(branchOf));
    const meant = inside.filter((finding) => !others.has(branchOf(finding)));
    if (meant.length > 0) return [...outside, ...meant];
    const wrong = inside.filter(isWrongType);
    const [first] = wrong;
    if (first === undefined) return remaining;
    const allowedValues = wrong.map(({ schemaPath }) => schemaAt(schema, schemaPath)?.['const']);
    const one =
      first.keyword === 'required' ? { params: { requiredProperties: ['type'] } } : { keyword: 'enum', params: { allowedValues } };
    return [...outside, { ...first, ...one }];
  }, findings);
}

/** Maximum number of forms of a value that one message names. */
const maxForms = 10;

/** Returns the types, or the value, that each branch of a union expects, in the order of the branches. Those that find something else in the value have none. */
function formsOf(findings: readonly Finding[], branchOf: (finding: Finding) => string | undefined): readonly (readonly unknown[])[] {
  const forms = new Map<string | undefined, readonly unknown[]>();
  for (const finding of findings) {
    const { keyword, params } = finding;
    if (keyword === 'const') forms.set(branchOf(finding), [asJson(params['allowedValue'])]);
    else if (keyword === 'type' && !forms.has(branchOf(finding))) forms.set(branchOf(finding), list(params['type']));
  }
  return [...forms].sort(([one], [other]) => Number(one) - Number(other)).map(([, form]) => form);
}

/** True for a finding that no branch matches. The findings of the branches are more helpful. */
export function isUnion({ keyword }: { readonly keyword: string }): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}
