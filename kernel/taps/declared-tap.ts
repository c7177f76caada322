import type { Tool } from '../definition/schema/tool.ts';
import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import { type HookName, hooksOfCalls } from './hook-names.ts';
import type { TapOptions } from './tap-options.ts';

type AnyTap = (...args: never[]) => unknown;

/** A tap as a plugin added it. */
export interface DeclaredTap {
  readonly hook: HookName;
  /** The execution type, for `execute`. */
  readonly key?: string;
  readonly plugin: string;
  readonly name: string;
  readonly stage: number;
  readonly before: readonly string[];
  readonly appliesTo: (tool: Tool) => boolean;
  readonly onlyOnce: boolean;
  readonly run: AnyTap;
  /** True for `tap`: it returns its value, not a promise. */
  readonly isSync: boolean;
}

/** The hook of a tap, its plugin, and `tap` or `tapPromise`. */
type Addition = Pick<DeclaredTap, 'plugin' | 'hook' | 'key' | 'isSync'>;

/** Throws PLUGIN_INVALID for a tap that cannot be added. `others`: the taps added before. */
export function declareTap(addition: Addition, options: string | TapOptions, run: unknown, others: readonly DeclaredTap[]): DeclaredTap {
  const { plugin, hook, key } = addition;
  const {
    name: label,
    stage = 0,
    before = [],
    appliesTo,
    onlyOnce = false,
  }: TapOptions = typeof options === 'string' ? { name: options } : options;
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
  const limit = appliesTo !== undefined ? 'appliesTo' : onlyOnce ? 'onlyOnce' : undefined;
  if (limit !== undefined && !hooksOfCalls.includes(hook)) {
    const problem = `with "${limit}", which only hooks of a call know: expected one of ${hooksOfCalls.join(', ')}`;
    throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" taps "${hook}" ${problem}.`, { plugin, hook });
  }
  const full = label === plugin || label.startsWith(`${plugin}:`) ? label : `${plugin}:${label}`;
  const twins = others.filter((tap) => tap.hook === hook && tap.key === key && tap.name.replace(/#\d+$/, '') === full).length;
  return {
    ...addition,
    name: twins === 0 ? full : `${full}#${twins + 1}`,
    stage,
    before: [before].flat(),
    appliesTo: appliesTo ?? (() => true),
    onlyOnce,
    run: run as AnyTap,
  };
}
