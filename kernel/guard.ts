import type { Tool } from './definition/schema/tool.ts';
import { ToolkitError } from './errors.ts';
import { hookPorts } from './hook-ports.ts';
import { anyExecution, type Hooks } from './hooks.ts';
import type { PluginHooks } from './plugin.ts';
import type { ConfiguredTap } from './taps/configured-tap.ts';
import { type DeclaredTap, declareTap } from './taps/declared-tap.ts';
import { type GuardedOptions, GuardedTap, type PlanKind } from './taps/guarded-tap.ts';
import type { HookName } from './taps/hook-names.ts';
import type { HookRule, HookRules } from './taps/hook-rule.ts';
import { series } from './taps/run-taps.ts';
import { inOrder } from './taps/tap-order.ts';

type Run = (subject: unknown, context?: unknown) => unknown;

interface TapableHook {
  tap(options: GuardedOptions, run: Run): void;
  tapPromise(options: GuardedOptions, run: Run): void;
}

/**
 * Runs all plugin code of hooks. Ports collect the taps of each plugin while it is applied. `seal` orders them, wraps each one (an error
 * names its plugin, its returned value is checked), and passes them to tapable. After that nothing can be added.
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

  /** Returns the hooks for one plugin; `end` closes them after its `apply`. */
  portsOf(plugin: string): { hooks: PluginHooks; end(): void } {
    const state = { open: true };
    const hooks = hookPorts(plugin, ({ hook, ...place }, options, run) => {
      if (!state.open || this.#sealed) {
        throw new ToolkitError(
          'PLUGIN_INVALID',
          `Plugin "${plugin}" taps "${hook}" after its apply() has ended. Tap hooks inside apply(), before it resolves.`,
          { plugin, hook },
        );
      }
      this.#declared.push(declareTap({ plugin, hook, ...place }, options, run, this.#declared));
    });
    const end = (): void => {
      state.open = false;
    };
    return { hooks, end };
  }

  /** Returns the taps of a hook in running order: each type of `execute` separately, taps for every type first. */
  order(hook: HookName): ConfiguredTap[] {
    const taps = this.#declared.filter((tap) => tap.hook === hook);
    const keys = [...new Set(taps.map(({ key }) => key))].sort((a, b) => Number(b === anyExecution) - Number(a === anyExecution));
    const ordered = keys.flatMap((key) => inOrder(taps.filter((tap) => tap.key === key)));
    if (hook === 'dispose') ordered.reverse();
    return ordered.map(({ name, plugin, key, stage, before }) => ({ name, plugin, ...(key === undefined ? {} : { key }), stage, before }));
  }

  /** Orders and wraps the taps. Throws PLUGIN_INVALID for a `before` that cannot be satisfied. A second call does nothing. */
  seal(): void {
    if (this.#sealed) return;
    this.#sealed = true;
    const groups = new Map<string, DeclaredTap[]>();
    for (const tap of this.#declared) {
      const id = `${tap.hook} ${tap.key ?? ''}`;
      groups.set(id, [...(groups.get(id) ?? []), tap]);
    }
    // Applied plugins must be disposable even when another hook has an invalid order.
    const disposeFirst = [...groups.values()].sort((a, b) => Number(b[0]?.hook === 'dispose') - Number(a[0]?.hook === 'dispose'));
    for (const group of disposeFirst) {
      const taps = inOrder(group);
      if (group[0]?.hook === 'dispose') taps.reverse();
      for (const tap of taps) {
        const guarded = new GuardedTap(tap, this.#ruleOf(tap));
        const options: GuardedOptions = { name: tap.name, forTool: (tool, kind) => this.#forTool(tap, guarded, tool, kind) };
        if (tap.isSync) this.#hookOf(tap).tap(options, (subject, context) => guarded.start(subject, context));
        else this.#hookOf(tap).tapPromise(options, async (subject, context) => series([guarded], subject, context));
      }
    }
  }

  #ruleOf({ hook }: DeclaredTap): HookRule {
    return this.#rules[hook] ?? {};
  }

  #hookOf(tap: DeclaredTap): TapableHook {
    const hook = tap.hook === 'execute' ? this.#hooks.execute.for(tap.key ?? '') : this.#hooks[tap.hook];
    return hook as unknown as TapableHook;
  }

  #forTool(tap: DeclaredTap, guarded: GuardedTap, tool: Tool | undefined, { isWatched, isOnce }: PlanKind): GuardedTap | undefined {
    try {
      if ((isOnce || !tap.onlyOnce) && (tool === undefined || tap.appliesTo(tool))) return guarded;
      return isWatched ? new GuardedTap(tap, this.#ruleOf(tap), () => undefined) : undefined;
    } catch (error) {
      return new GuardedTap(tap, this.#ruleOf(tap), () => {
        throw error;
      });
    }
  }
}
