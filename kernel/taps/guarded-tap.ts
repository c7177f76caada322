import type { Tool } from '../definition/schema/tool.ts';
import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import type { HookName } from './hook-names.ts';
import type { HookRule } from './hook-rule.ts';
import type { HookRun } from './hook-run.ts';
import type { TapEffect } from './tap-effect.ts';

/** A context that is notified of the return value of each tap. */
interface TapWatcher {
  onTap(effect: TapEffect): void;
}

/** The members of a declared tap that the guard uses. */
interface NamedTap {
  readonly hook: HookName;
  readonly plugin: string;
  readonly name: string;
  /** True when it returns its value, not a promise. */
  readonly isSync: boolean;
  readonly run: (...args: never[]) => unknown;
}

/**
 * A guarded tap: its errors name its plugin, and its return value is checked. A tap gets the hook's subject and the context; on `dispose` only the
 * context.
 */
export class GuardedTap {
  readonly #tap: NamedTap;
  readonly #work: (subject: unknown, context: unknown) => unknown;
  readonly #bind: HookRule['bind'] | undefined;
  readonly #check: HookRule['check'] | undefined;
  readonly #collects: boolean;

  /** `work`: the function to call instead of the tap's own. */
  constructor(tap: NamedTap, { bind, check, collects = false }: HookRule, work: NamedTap['run'] = tap.run) {
    this.#tap = tap;
    this.#work = work as (subject: unknown, context: unknown) => unknown;
    this.#bind = bind;
    this.#check = check;
    this.#collects = collects;
  }

  /** Runs the tap. Returns its value, or a promise; pass the outcome of a promise to `finish` or `fail`. */
  start(subject: unknown, context: unknown): unknown {
    try {
      ((context ?? subject) as HookRun).enter(this.#tap);
      const work = this.#work;
      const returned = work(this.#bind === undefined ? subject : this.#bind(subject as never, this.#tap), context);
      if (returned === undefined || returned === subject || !isThenable(returned)) return this.finish(subject, context, returned);
      if (this.#tap.isSync) this.#refuse('a value (use tapPromise for an async function)', 'a promise');
      return returned;
    } catch (error) {
      return this.fail(subject, context, error);
    }
  }

  /** Returns the promise's value. Throws PLUGIN_INVALID for an invalid one. */
  finish(subject: unknown, context: unknown, returned: unknown): unknown {
    if (this.#check !== undefined && returned !== undefined && returned !== subject)
      this.#check(subject as never, returned, (expected, received) => this.#refuse(expected, received));
    const { onTap } = (context ?? subject) as Partial<TapWatcher>;
    if (onTap === undefined) return returned;
    const { hook, plugin, name } = this.#tap;
    onTap({ hook, plugin, tap: name, given: subject, returned });
    return returned;
  }

  /** Throws the error with the plugin's name. A collecting hook records it instead, and the next tap runs. */
  fail(subject: unknown, context: unknown, error: unknown): undefined {
    const passage = (context ?? subject) as HookRun;
    const attributed = attribute(error, this.#tap, passage);
    if (!this.#collects) throw attributed;
    passage.collect(attributed);
    return undefined;
  }

  #refuse(expected: string, received: string): never {
    const { plugin, hook } = this.#tap;
    throw new ToolkitError(
      'PLUGIN_INVALID',
      `Plugin "${plugin}" returned an invalid value from "${hook}": expected ${expected}, received ${received}.`,
    );
  }
}

/** The options of a tap in tapable. */
export interface GuardedOptions {
  readonly name: string;
  /** Returns the tap for calls of this tool; undefined when it does not apply, or an empty tap for a watched call. */
  readonly forTool: (tool: Tool | undefined, kind: PlanKind) => GuardedTap | undefined;
}

/** The kind of calls for which a plan is made. */
export interface PlanKind {
  /** True for a watched call: taps that do not apply are reported too. */
  readonly isWatched: boolean;
  /** True for calls with `once`. */
  readonly isOnce: boolean;
}

/** Returns the taps of a hook that apply to a tool, in order. */
export function tapsFor(
  hook: { readonly taps: readonly unknown[] } | undefined,
  tool: Tool | undefined,
  kind: PlanKind,
): readonly GuardedTap[] {
  return (hook?.taps ?? []).flatMap((tap) => (tap as GuardedOptions).forTool(tool, kind) ?? []);
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';
}

function attribute(error: unknown, tap: NamedTap, context: HookRun): ToolkitError {
  const details = { plugin: tap.plugin, hook: tap.hook, ...(context.toolName === undefined ? {} : { tool: context.toolName }) };
  if (ToolkitError.is(error)) return error.with(details);
  // Masked before it is cut: a cut secret is not recognised.
  const said = excerpt(context.mask(messageOf(error)));
  // After an abort, the reason of the abort is the error.
  if (context.abortReason !== undefined) return context.abortReason;
  if (tap.hook === 'resolveSecrets') {
    return new ToolkitError('SECRET_STORE_UNAVAILABLE', `The resolver "${tap.plugin}" failed: ${said}`, details, {
      cause: error,
    });
  }
  const where = context.toolName === undefined ? '' : ` for tool "${context.toolName}"`;
  return new ToolkitError('PLUGIN_FAILED', `Plugin "${tap.plugin}" failed in "${tap.hook}"${where}: ${said}`, details, { cause: error });
}
