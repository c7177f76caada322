import type { Tool } from '../definition/tool.ts';
import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import type { HookName, TapEffect } from '../hooks.ts';
import type { HookRun } from '../run.ts';
import type { HookRule } from './hook-rules.ts';

/** A context that is told what each of its taps has returned. */
interface TapWatcher {
  onTap(effect: TapEffect): void;
}

/** A declared tap, as far as the guard looks at it. */
interface NamedTap {
  readonly hook: HookName;
  readonly plugin: string;
  readonly name: string;
  /** Returns its value, not a promise of it. */
  readonly isSync: boolean;
  readonly run: (...args: never[]) => unknown;
}

/**
 * A tap behind the guard: what it throws names its plugin, and what it returns is checked. Every hook has a subject and a context, but dispose,
 * which has the context alone.
 */
export class GuardedTap {
  readonly #tap: NamedTap;
  readonly #work: (subject: unknown, context: unknown) => unknown;
  readonly #bind: HookRule['bind'] | undefined;
  readonly #check: HookRule['check'] | undefined;
  readonly #collects: boolean;

  /** `work`: what is called in place of the tap. */
  constructor(tap: NamedTap, { bind, check, collects = false }: HookRule, work: NamedTap['run'] = tap.run) {
    this.#tap = tap;
    this.#work = work as (subject: unknown, context: unknown) => unknown;
    this.#bind = bind;
    this.#check = check;
    this.#collects = collects;
  }

  /** What it gave; or, where that has to be waited for, a promise, of which `finish` or `fail` is to be told. */
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

  /** Gives the value that came of the promise. Throws PLUGIN_INVALID for one that the tap may not give. */
  finish(subject: unknown, context: unknown, returned: unknown): unknown {
    if (this.#check !== undefined && returned !== undefined && returned !== subject)
      this.#check(subject as never, returned, (expected, received) => this.#refuse(expected, received));
    const { onTap } = (context ?? subject) as Partial<TapWatcher>;
    if (onTap === undefined) return returned;
    const { hook, plugin, name } = this.#tap;
    onTap({ hook, plugin, tap: name, given: subject, returned });
    return returned;
  }

  /** Throws the error in the name of the plugin. A hook that collects notes it instead, and the next tap has its turn. */
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
      `Plugin "${plugin}" returned the wrong thing from "${hook}": expected ${expected}, received ${received}.`,
    );
  }
}

/** As tapable keeps a tap. */
export interface GuardedOptions {
  readonly name: string;
  /** The tap for calls of this tool; undefined where it has nothing to do, or, for those who watch, one that does nothing. */
  readonly forTool: (tool: Tool | undefined, kind: PlanKind) => GuardedTap | undefined;
}

/** The calls of a tool that a plan is for. */
export interface PlanKind {
  /** Somebody watches: what does not apply says so. */
  readonly isWatched: boolean;
  /** They have `once`. */
  readonly isOnce: boolean;
}

/** The taps of a hook that apply to a tool, in their order. */
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
  // Masked before it is cut: half a secret is not recognised afterwards.
  const said = excerpt(context.mask(messageOf(error)));
  // An operation that ended because the run was aborted has nothing of its own to say.
  if (context.abortReason !== undefined) return context.abortReason;
  if (tap.hook === 'resolveSecrets') {
    return new ToolkitError('SECRET_STORE_UNAVAILABLE', `The resolver "${tap.plugin}" failed: ${said}`, details, {
      cause: error,
    });
  }
  const where = context.toolName === undefined ? '' : ` for tool "${context.toolName}"`;
  return new ToolkitError('PLUGIN_FAILED', `Plugin "${tap.plugin}" failed in "${tap.hook}"${where}: ${said}`, details, { cause: error });
}
