import type { Tool } from './definition/schema/tool.ts';
import { anyExecution, type Hooks } from './hooks.ts';
import { type GuardedTap, type PlanKind, tapsFor } from './taps/guarded-tap.ts';

/** The taps that run in calls of one tool, with or without `once`, by hook and in order. */
export interface Plan {
  readonly injectAuth: readonly GuardedTap[];
  readonly beforeExecute: readonly GuardedTap[];
  readonly approve: readonly GuardedTap[];
  /** Taps on `execute` for every type. */
  readonly beforeType: readonly GuardedTap[];
  /** Taps of the tool's type; undefined when no plugin executes the type. */
  readonly execute: readonly GuardedTap[] | undefined;
  readonly validateOutput: readonly GuardedTap[];
  readonly settled: readonly GuardedTap[];
}

const plain: PlanKind = { isWatched: false, isOnce: false };

/** The plans of a kernel, each created on the first call of its tool. A reload creates new tools; the plans of the old ones are collected. */
export class Plans {
  readonly #hooks: Hooks;
  readonly #plans = new WeakMap<Tool, Plan>();
  /** Plans for calls with `once`. */
  readonly #once = new WeakMap<Tool, Plan>();
  /** Taps on `settled` for calls of an unknown tool. */
  #settled: readonly GuardedTap[] | undefined;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** `isWatched`: the plan of a call with a listener (`onTap`). */
  of(tool: Tool, isOnce = false, isWatched = false): Plan {
    if (isWatched) return this.#make(tool, { isWatched, isOnce });
    const plans = isOnce ? this.#once : this.#plans;
    const plan = plans.get(tool) ?? this.#make(tool, { isWatched: false, isOnce });
    plans.set(tool, plan);
    return plan;
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
