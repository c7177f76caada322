import type { Tool } from './definition/tool.ts';
import { anyExecution, type Hooks } from './hooks.ts';
import { type GuardedTap, type PlanKind, tapsFor } from './taps/guarded-tap.ts';

/** What runs in calls of one tool, with `once` or without: the taps that apply to it, hook by hook, in their order. */
export interface Plan {
  readonly injectAuth: readonly GuardedTap[];
  readonly beforeExecute: readonly GuardedTap[];
  readonly approve: readonly GuardedTap[];
  /** Those of every type. */
  readonly beforeType: readonly GuardedTap[];
  /** Those of its type; undefined where no plugin executes that. */
  readonly execute: readonly GuardedTap[] | undefined;
  readonly validateOutput: readonly GuardedTap[];
  readonly settled: readonly GuardedTap[];
}

const plain: PlanKind = { isWatched: false, isOnce: false };

/** The plans of a kernel, each made when its tool is first called. A reload makes new tools, and the plans of the old ones go with them. */
export class Plans {
  readonly #hooks: Hooks;
  readonly #plans = new WeakMap<Tool, Plan>();
  /** Of calls with `once`. */
  readonly #once = new WeakMap<Tool, Plan>();
  /** For a call of a tool that there is not. */
  #settled: readonly GuardedTap[] | undefined;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  of(tool: Tool, isOnce = false): Plan {
    const plans = isOnce ? this.#once : this.#plans;
    const plan = plans.get(tool) ?? this.#make(tool, { isWatched: false, isOnce });
    plans.set(tool, plan);
    return plan;
  }

  /** For a call that somebody watches. */
  watched(tool: Tool, isOnce: boolean): Plan {
    return this.#make(tool, { isWatched: true, isOnce });
  }

  settled(tool: Tool | undefined, isOnce: boolean): readonly GuardedTap[] {
    if (tool !== undefined) return this.of(tool, isOnce).settled;
    this.#settled ??= tapsFor(this.#hooks.settled, undefined, plain);
    return this.#settled;
  }

  #make(tool: Tool, kind: PlanKind): Plan {
    const { injectAuth, beforeExecute, approve, execute, validateOutput, settled } = this.#hooks;
    const ofType = execute.get(tool.execution.type);
    return {
      injectAuth: tapsFor(injectAuth, tool, kind),
      beforeExecute: tapsFor(beforeExecute, tool, kind),
      approve: tapsFor(approve, tool, kind),
      beforeType: tapsFor(execute.get(anyExecution), tool, kind),
      execute: ofType === undefined ? undefined : tapsFor(ofType, tool, kind),
      validateOutput: tapsFor(validateOutput, tool, kind),
      settled: tapsFor(settled, tool, kind),
    };
  }
}
