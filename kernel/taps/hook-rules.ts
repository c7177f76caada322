import { isTightened } from '../approval/verdict.ts';
import type { DraftCall, ExecutionResult, HookName } from '../hooks.ts';
import { describeValue, isPlainObject } from '../schema/json.ts';

type Refuse = (expected: string, received: string) => never;

/** What the guard does around the taps of a hook, beside naming and attribution. */
export interface HookRule {
  /** Collect a throw as a problem and let the other taps go on. */
  readonly collects?: boolean;
  /** Gives each plugin its own first argument. */
  readonly bind?: (argument: never, tap: { readonly plugin: string; readonly name: string }) => unknown;
  /** Throws PLUGIN_INVALID when a tap returns what it may not. */
  readonly check?: (given: never, returned: unknown, refuse: (expected: string, received: string) => never) => void;
}

export type HookRules = { readonly [H in HookName]?: HookRule };

/** What taps may return, as promised on the hooks page. */
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

/** A sink that is given to each tap under its own name. */
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

/** The checks of returned values that the contract on the hooks page promises. */
function refuseUnlessObject(returned: unknown, what: string, refuse: Refuse): asserts returned is Record<string, unknown> | undefined {
  if (returned !== undefined && !isPlainObject(returned)) refuse(`${what} or undefined`, describeValue(returned));
}
