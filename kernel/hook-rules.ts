import type { DraftCall } from './call/draft.ts';
import type { ExecutionResult } from './call/output.ts';
import { isTightened } from './call/verdict.ts';
import { describeValue, isPlainObject } from './json/json.ts';
import type { HookRules } from './taps/hook-rule.ts';

type Refuse = (expected: string, received: string) => never;

/** The valid returned values, as documented on the hooks page. */
export const hookRules: HookRules = {
  discover: { collects: true, bind: (sinks: Sinks, { plugin }) => sinks.as(plugin) },
  resolveSecrets: { bind: (sinks: Sinks, { name }) => sinks.as(name) },
  injectAuth: { check: (given: DraftCall, returned, refuse) => checkDraft(given, returned, ['credentials'], refuse) },
  beforeExecute: {
    check: (given: DraftCall, returned, refuse) => {
      checkDraft(given, returned, ['parameters', 'verdict'], refuse);
      const next = returned as DraftCall | undefined;
      if (next !== undefined && !isTightened(given.verdict, next.verdict)) {
        refuse(
          `a verdict at least as strict as "${given.verdict.effect}" that keeps its reasons`,
          `"${next.verdict.effect}" with ${next.verdict.reasons.length} reasons`,
        );
      }
    },
  },
  approve: {
    check: (_given, returned, refuse) => {
      refuseUnlessObject(returned, 'a decision {approved, by}', refuse);
      if (returned !== undefined && (typeof returned['approved'] !== 'boolean' || typeof returned['by'] !== 'string')) {
        refuse(
          'a decision {approved: boolean, by: string}',
          `approved ${describeValue(returned['approved'])}, by ${describeValue(returned['by'])}`,
        );
      }
    },
  },
  execute: { check: checkResult },
  validateOutput: { check: checkResult },
  settled: { collects: true },
  dispose: { collects: true },
};

/** A sink that is bound to each tap's name. */
interface Sinks {
  as(owner: string): unknown;
}

function checkDraft(given: DraftCall, returned: unknown, changeable: readonly (keyof DraftCall)[], refuse: Refuse): void {
  refuseUnlessObject(returned, 'a draft call', refuse);
  if (returned === undefined) return;
  const changed = Object.keys(given).find(
    (key) => !changeable.includes(key as keyof DraftCall) && returned[key] !== given[key as keyof DraftCall],
  );
  if (changed !== undefined) refuse(`a draft in which only ${changeable.join(' and ')} differ`, `another "${changed}"`);
}

function checkResult(_given: unknown, returned: unknown, refuse: Refuse): void {
  refuseUnlessObject(returned, 'a result {output}', refuse);
  if (returned !== undefined && !Object.hasOwn(returned as unknown as ExecutionResult, 'output'))
    refuse('a result with "output"', `keys ${Object.keys(returned).join(', ') || '(none)'}`);
}

/** Refuses a returned value other than an object or undefined, as documented on the hooks page. */
function refuseUnlessObject(returned: unknown, what: string, refuse: Refuse): asserts returned is Record<string, unknown> | undefined {
  if (returned !== undefined && !isPlainObject(returned)) refuse(`${what} or undefined`, describeValue(returned));
}
