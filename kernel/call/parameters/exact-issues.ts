import { roundedIssues } from '../../definition/schema/exact-lookup.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import type { Issue } from '../../errors.ts';
import type { RoundedInteger } from '../../json/json.ts';
import { isUnsafeInteger } from '../../json/read-json.ts';
import { checkValue } from '../../schema/check-value.ts';
import { exactSchema } from '../../schema/exact-integers.ts';

interface ParameterSource {
  readonly from: 'model' | 'host' | 'step';
  readonly rounded: readonly RoundedInteger[];
}

/**
 * Returns the issues of parameters for which the plain check `found` issues, or that contain numbers which may have been rounded. A text of digits is
 * valid for types integer and number if the executor accepts it. A host's number beyond ±(2^53−1) is an issue, except for type `number`: that is a
 * double, and 1e17 is as exact as it looks. A model's number of this size comes from JSON with an exponent.
 */
export function exactIssues(
  { inputSchema, exactIntegers }: Pick<Tool, 'inputSchema' | 'exactIntegers'>,
  parameters: unknown,
  found: readonly Issue[],
  { from, rounded }: ParameterSource,
): readonly Issue[] {
  if (rounded.length === 0 && !holdsUnsafeInteger(parameters)) return found;
  const issues = checkValue(exactSchema(inputSchema, exactIntegers?.takes === true ? 'all' : 'int64'), parameters);
  if (from !== 'host') return issues;
  const doubtful = roundedIssues({ inputSchema }, parameters, rounded);
  return [...issues, ...doubtful.filter(({ path }) => !issues.some((issue) => issue.path === path))];
}

function holdsUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'string') return isUnsafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger);
}
