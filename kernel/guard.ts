import type { Tool } from './definition/tool.ts';
import { excerpt, messageOf, ToolkitError } from './errors.ts';
import { type HookName, type Hooks, hookNames, type TapEffect } from './hooks.ts';
import type { HookPort, PluginHooks, TapOptions } from './plugin.ts';
import type { HookRun } from './run.ts';
import { type DeclaredTap, declareTap } from './taps/declared-tap.ts';
import type { GuardedOptions, GuardedTap } from './taps/guarded-tap.ts';
import type { HookRules } from './taps/hook-rules.ts';
import { inOrder } from './taps/tap-order.ts';

interface TapableHook {
  tap(options: GuardedOptions, run: GuardedTap): void;
  tapPromise(options: GuardedOptions, run: GuardedTap): void;
}

/** A context that is told what each of its taps has returned. */
export interface TapWatcher {
  onTap(effect: TapEffect): void;
}

/**
 * All plugin code that runs in hooks runs through here. Ports collect the taps of each plugin while it is applied; `seal` puts them in order,
 * wraps each one (an error names its plugin, what it returns is checked), and hands them to tapable. After that nothing can be added.
 */
export class Guard {
  readonly #declared: DeclaredTap[] = [];
  readonly #hooks: Hooks;
  readonly #rules: HookRules;
  #sealed = false;

  constructor(hooks: Hooks, rules: HookRules) {
    this.#hooks = hooks;
    this.#rules = rules;
  }

  /** The hooks as one plugin sees them; `end` closes them when its `apply` is done. */
  portsOf(plugin: string): { hooks: PluginHooks; end(): void } {
    const state = { open: true };
    const port = (hook: HookName, key?: string): HookPort<HookName> => {
      const add =
        (isSync: boolean) =>
        (options: string | TapOptions, run: unknown): void => {
          if (!state.open || this.#sealed) {
            throw new ToolkitError(
              'PLUGIN_INVALID',
              `Plugin "${plugin}" taps "${hook}" after its apply() has ended. Tap hooks inside apply(), before it resolves.`,
              { plugin, hook },
            );
          }
          const addition = { plugin, hook, ...(key === undefined ? {} : { key }), isSync };
          this.#declared.push(declareTap(addition, options, run, this.#declared));
        };
      return { tap: add(true), tapPromise: add(false) };
    };
    const hooks = Object.fromEntries(
      hookNames.map((name) => [name, name === 'execute' ? { for: (key: string) => port('execute', key) } : port(name)]),
    );
    const end = (): void => {
      state.open = false;
    };
    return { hooks: hooks as unknown as PluginHooks, end };
  }

  /** The taps of each plugin by hook, in running order, for people who ask what is configured. */
  order(hook: HookName): string[] {
    return inOrder(this.#declared.filter((tap) => tap.hook === hook)).map(({ name }) => name);
  }

  /** Throws PLUGIN_INVALID for a `before` that cannot be kept. The second time it does nothing. */
  seal(): void {
    if (this.#sealed) return;
    this.#sealed = true;
    const groups = new Map<string, DeclaredTap[]>();
    for (const tap of this.#declared) {
      const id = `${tap.hook} ${tap.key ?? ''}`;
      groups.set(id, [...(groups.get(id) ?? []), tap]);
    }
    // What is applied must be disposable even when another group turns out to be wrong.
    const disposeFirst = [...groups.values()].sort((a, b) => Number(b[0]?.hook === 'dispose') - Number(a[0]?.hook === 'dispose'));
    for (const group of disposeFirst) {
      const taps = inOrder(group);
      if (group[0]?.hook === 'dispose') taps.reverse();
      for (const tap of taps) {
        const run = this.#guarded(tap, tap.run);
        const options: GuardedOptions = { name: tap.name, forTool: (tool, isWatched) => this.#forTool(tap, run, tool, isWatched) };
        if (tap.isSync) this.#hookOf(tap).tap(options, run);
        else this.#hookOf(tap).tapPromise(options, async (subject, context) => run(subject, context));
      }
    }
  }

  #hookOf(tap: DeclaredTap): TapableHook {
    const hook = tap.hook === 'execute' ? this.#hooks.execute.for(tap.key ?? '') : this.#hooks[tap.hook];
    return hook as unknown as TapableHook;
  }

  /** `work` in place of the tap, as the tap. */
  #guarded(tap: DeclaredTap, work: DeclaredTap['run']): GuardedTap {
    const { bind, check } = this.#rules[tap.hook] ?? {};
    const run = work as (...args: unknown[]) => unknown;
    const fail = this.#failing(tap);
    const checked = (subject: unknown, returned: unknown, context: unknown): unknown => {
      if (check !== undefined && returned !== undefined && returned !== subject)
        check(subject as never, returned, (expected, received) => refuseReturn(tap, expected, received));
      (context as Partial<TapWatcher>).onTap?.({ hook: tap.hook, plugin: tap.plugin, tap: tap.name, given: subject, returned });
      return returned;
    };
    return (subject, context) => {
      const passage = context ?? subject;
      try {
        (passage as HookRun).enter(tap);
        const returned = run(bind === undefined ? subject : bind(subject as never, tap), context);
        if (!isThenable(returned)) return checked(subject, returned, passage);
        if (tap.isSync) refuseReturn(tap, 'a value (use tapPromise for an async function)', 'a promise');
        return Promise.resolve(returned)
          .then((value) => checked(subject, value, passage))
          .catch((error: unknown) => fail(error, passage));
      } catch (error) {
        return fail(error, passage);
      }
    };
  }

  #forTool(tap: DeclaredTap, run: GuardedTap, tool: Tool | undefined, isWatched: boolean): GuardedTap | undefined {
    try {
      if (tool === undefined || tap.appliesTo(tool)) return run;
      return isWatched ? this.#guarded(tap, () => undefined) : undefined;
    } catch (error) {
      return this.#guarded(tap, () => {
        throw error;
      });
    }
  }

  /** What becomes of an error of a tap. */
  #failing(tap: DeclaredTap): (error: unknown, context: unknown) => undefined {
    const { collects = false } = this.#rules[tap.hook] ?? {};
    return (error, context) => {
      const attributed = attribute(error, tap, context as HookRun);
      if (!collects) throw attributed;
      (context as HookRun).collect(attributed);
      return undefined;
    };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';
}

function refuseReturn(tap: DeclaredTap, expected: string, received: string): never {
  throw new ToolkitError(
    'PLUGIN_INVALID',
    `Plugin "${tap.plugin}" returned the wrong thing from "${tap.hook}": expected ${expected}, received ${received}.`,
  );
}

function attribute(error: unknown, tap: DeclaredTap, context: HookRun): ToolkitError {
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
