import type { Tool } from './definition/tool.ts';
import { excerpt, messageOf, ToolkitError } from './errors.ts';
import { type HookName, type Hooks, hookNames, type TapEffect } from './hooks.ts';
import type { HookPort, PluginHooks, TapOptions } from './plugin.ts';
import type { HookRun } from './run.ts';
import { describeValue, isPlainObject } from './schema/json.ts';
import { didYouMean } from './schema/nearest.ts';

type AnyTap = (...args: never[]) => unknown;

interface DeclaredTap {
  readonly hook: HookName;
  /** The execution type, for `execute`. */
  readonly key?: string;
  readonly plugin: string;
  readonly name: string;
  readonly stage: number;
  readonly before: readonly string[];
  /** Remembers what the tap says of each tool. */
  readonly appliesTo: (tool: Tool | undefined) => boolean;
  readonly run: AnyTap;
  /** Added with `tap`: returns its value, not a promise of it. */
  readonly isSync: boolean;
}

interface TapableHook {
  tap(name: string, run: Wrapped<unknown>): void;
  tapPromise(name: string, run: Wrapped<Promise<unknown>>): void;
}

/** Every hook has a subject and a context, but dispose, which has the context alone. */
type Wrapped<T> = (subject: unknown, context?: unknown) => T;

/** What the guard does around the taps of a hook, beside naming and attribution. */
export interface HookRule {
  /** Collect a throw as a problem and let the other taps go on. */
  readonly collects?: boolean;
  /** Gives each plugin its own first argument. */
  readonly bind?: (argument: never, tap: { readonly plugin: string; readonly name: string }) => unknown;
  /** Throws PLUGIN_INVALID when a tap returns what it may not. */
  readonly check?: (given: never, returned: unknown, refuse: (expected: string, received: string) => never) => void;
}

/** A context that is told what each of its taps has returned. */
export interface TapWatcher {
  onTap(effect: TapEffect): void;
}

export type HookRules = { readonly [H in HookName]?: HookRule };

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
          this.#declared.push(declare(plugin, hook, key, options, run, isSync, this.#declared));
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
    return ordered(this.#declared.filter((tap) => tap.hook === hook)).map(({ name }) => name);
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
      const taps = ordered(group);
      const inOrder = group[0]?.hook === 'dispose' ? taps.reverse() : taps;
      for (const tap of inOrder) {
        if (tap.isSync) this.#hookOf(tap).tap(tap.name, this.#wrapSync(tap));
        else this.#hookOf(tap).tapPromise(tap.name, this.#wrapPromise(tap));
      }
    }
  }

  #hookOf(tap: DeclaredTap): TapableHook {
    const hook = tap.hook === 'execute' ? this.#hooks.execute.for(tap.key ?? '') : this.#hooks[tap.hook];
    return hook as unknown as TapableHook;
  }

  #wrapSync(tap: DeclaredTap): Wrapped<unknown> {
    const { start, check, fail } = this.#around(tap);
    return (subject, context) => {
      try {
        const returned = start(subject, context);
        if (returned instanceof Promise) refuseReturn(tap, 'a value (use tapPromise for an async function)', 'a promise');
        return check(subject, returned, context ?? subject);
      } catch (error) {
        return fail(error, context ?? subject);
      }
    };
  }

  #wrapPromise(tap: DeclaredTap): Wrapped<Promise<unknown>> {
    const { start, check, fail } = this.#around(tap);
    return async (subject, context) => {
      try {
        return check(subject, await start(subject, context), context ?? subject);
      } catch (error) {
        return fail(error, context ?? subject);
      }
    };
  }

  #around(tap: DeclaredTap) {
    const { bind, check, collects = false } = this.#rules[tap.hook] ?? {};
    const run = tap.run as (...args: unknown[]) => unknown;
    return {
      start(subject: unknown, context: unknown): unknown {
        ((context ?? subject) as HookRun).enter(tap);
        if (!tap.appliesTo(toolOf(subject, context))) return undefined;
        return run(bind === undefined ? subject : bind(subject as never, tap), context);
      },
      check(subject: unknown, returned: unknown, context: unknown): unknown {
        if (check !== undefined && returned !== undefined && returned !== subject) {
          check(subject as never, returned, (expected, received) => refuseReturn(tap, expected, received));
        }
        (context as Partial<TapWatcher>).onTap?.({ hook: tap.hook, plugin: tap.plugin, tap: tap.name, given: subject, returned });
        return returned;
      },
      fail(error: unknown, context: unknown): undefined {
        const attributed = attribute(error, tap, context as HookRun);
        if (!collects) throw attributed;
        (context as HookRun).collect(attributed);
        return undefined;
      },
    };
  }
}

function declare(
  plugin: string,
  hook: HookName,
  key: string | undefined,
  options: string | TapOptions,
  run: unknown,
  isSync: boolean,
  others: readonly DeclaredTap[],
): DeclaredTap {
  const { name: label, stage = 0, before = [], appliesTo }: TapOptions = typeof options === 'string' ? { name: options } : options;
  if (typeof label !== 'string' || label === '') {
    throw new ToolkitError(
      'PLUGIN_INVALID',
      `Plugin "${plugin}" taps "${hook}" without a name: expected a string, received ${describeValue(label)}.`,
      { plugin, hook },
    );
  }
  if (typeof run !== 'function') {
    throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" taps "${hook}" with ${describeValue(run)}: expected a function.`, {
      plugin,
      hook,
    });
  }
  if (appliesTo !== undefined && !hooksOfCalls.includes(hook)) {
    const problem = `with "appliesTo", which only hooks of a call know: expected one of ${hooksOfCalls.join(', ')}`;
    throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" taps "${hook}" ${problem}.`, { plugin, hook });
  }
  const full = label === plugin || label.startsWith(`${plugin}:`) ? label : `${plugin}:${label}`;
  const twins = others.filter((tap) => tap.hook === hook && tap.key === key && tap.name.replace(/#\d+$/, '') === full).length;
  return {
    hook,
    ...(key === undefined ? {} : { key }),
    plugin,
    name: twins === 0 ? full : `${full}#${twins + 1}`,
    stage,
    before: [before].flat(),
    appliesTo: remembered(appliesTo),
    run: run as AnyTap,
    isSync,
  };
}

const hooksOfCalls: readonly HookName[] = ['injectAuth', 'beforeExecute', 'approve', 'execute', 'validateOutput', 'settled'];

function remembered(appliesTo: TapOptions['appliesTo']): DeclaredTap['appliesTo'] {
  if (appliesTo === undefined) return () => true;
  const known = new WeakMap<Tool, boolean>();
  return (tool) => {
    if (tool === undefined) return true;
    const before = known.get(tool);
    if (before !== undefined) return before;
    const applies = appliesTo(tool);
    known.set(tool, applies);
    return applies;
  };
}

/** The tool of the call; that of `settled` stands in its subject, where there is one. */
function toolOf(subject: unknown, context: unknown): Tool | undefined {
  return (context as { readonly tool?: Tool } | undefined)?.tool ?? (subject as { readonly tool?: Tool } | undefined)?.tool;
}

/** Configuration order, then stage, then `before`. Throws PLUGIN_INVALID for a `before` that names nothing, or for a circle. */
function ordered(taps: readonly DeclaredTap[]): DeclaredTap[] {
  const result: DeclaredTap[] = [];
  let waiting = [...taps].sort((a, b) => a.stage - b.stage);
  const matches = (name: string) => (tap: DeclaredTap) => tap.name === name || tap.plugin === name;
  for (const tap of waiting) {
    const unknown = tap.before.find((name) => !taps.some((other) => other !== tap && matches(name)(other)));
    if (unknown === undefined) continue;
    const known = taps.filter((other) => other !== tap).map((other) => other.name);
    throw new ToolkitError(
      'PLUGIN_INVALID',
      `Plugin "${tap.plugin}" wants to run before "${unknown}" on "${tap.hook}", but nothing of that name taps it.${didYouMean(unknown, known)} Taps there: ${known.join(', ') || 'none'}.`,
      { plugin: tap.plugin, hook: tap.hook },
    );
  }
  while (waiting.length > 0) {
    // A tap must wait while some other waiting tap wants to run before it.
    const next = waiting.find((tap) => !waiting.some((other) => other !== tap && other.before.some((name) => matches(name)(tap))));
    if (next === undefined) {
      const names = waiting.map(({ name }) => name).join(', ');
      throw new ToolkitError(
        'PLUGIN_INVALID',
        `The "before" options on "${waiting[0]?.hook}" form a circle among ${names}. Remove one of them.`,
      );
    }
    result.push(next);
    waiting = waiting.filter((tap) => tap !== next);
  }
  return result;
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

/** The checks of returned values that the contract on the hooks page promises. */
export function refuseUnlessObject(
  returned: unknown,
  what: string,
  refuse: (expected: string, received: string) => never,
): asserts returned is Record<string, unknown> | undefined {
  if (returned !== undefined && !isPlainObject(returned)) refuse(`${what} or undefined`, describeValue(returned));
}
