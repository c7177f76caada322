import type { Tool } from './definition/tool.ts';
import { anyExecution, type Hooks } from './hooks.ts';
import { type GuardedTap, tapsFor } from './taps/guarded-tap.ts';

/** What runs in calls of one tool: the taps that apply to it, hook by hook, in their order. */
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

/** The plans of a kernel, each made when its tool is first called. A reload makes new tools, and the plans of the old ones go with them. */
export class Plans {
  readonly #hooks: Hooks;
  readonly #plans = new WeakMap<Tool, Plan>();
  /** For a call of a tool that there is not. */
  #settled: readonly GuardedTap[] | undefined;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  of(tool: Tool): Plan {
    const plan = this.#plans.get(tool) ?? this.#make(tool, false);
    this.#plans.set(tool, plan);
    return plan;
  }

  /** For a call that somebody watches: what does not apply says so. */
  watched(tool: Tool): Plan {
    return this.#make(tool, true);
  }

  settled(tool: Tool | undefined): readonly GuardedTap[] {
    if (tool !== undefined) return this.of(tool).settled;
    this.#settled ??= tapsFor(this.#hooks.settled, undefined, false);
    return this.#settled;
  }

  #make(tool: Tool, isWatched: boolean): Plan {
    const { injectAuth, beforeExecute, approve, execute, validateOutput, settled } = this.#hooks;
    const ofType = execute.get(tool.execution.type);
    return {
      injectAuth: tapsFor(injectAuth, tool, isWatched),
      beforeExecute: tapsFor(beforeExecute, tool, isWatched),
      approve: tapsFor(approve, tool, isWatched),
      beforeType: tapsFor(execute.get(anyExecution), tool, isWatched),
      execute: ofType === undefined ? undefined : tapsFor(ofType, tool, isWatched),
      validateOutput: tapsFor(validateOutput, tool, isWatched),
      settled: tapsFor(settled, tool, isWatched),
    };
  }
}
