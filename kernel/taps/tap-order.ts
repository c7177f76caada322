import { ToolkitError } from '../errors.ts';
import { didYouMean } from '../schema/nearest.ts';
import type { DeclaredTap } from './declared-tap.ts';

/** Sorts taps by `before`, then stage, then configuration order. Throws PLUGIN_INVALID for a `before` with an unknown name, or a cycle. */
export function inOrder(taps: readonly DeclaredTap[]): DeclaredTap[] {
  const result: DeclaredTap[] = [];
  let waiting = [...taps].sort((a, b) => a.stage - b.stage);
  const matches = (name: string) => (tap: DeclaredTap) => tap.name === name || tap.plugin === name;
  for (const tap of waiting) {
    const unknown = tap.before.find((name) => !taps.some((other) => other !== tap && matches(name)(other)));
    if (unknown === undefined) continue;
    const known = taps.filter((other) => other !== tap).map((other) => other.name);
    throw new ToolkitError(
      'PLUGIN_INVALID',
      `Plugin "${tap.plugin}" has "before: ${unknown}" on "${tap.hook}", but no tap there has that name.${didYouMean(unknown, known)} Taps there: ${known.join(', ') || 'none'}.`,
      { plugin: tap.plugin, hook: tap.hook },
    );
  }
  while (waiting.length > 0) {
    // A tap waits while another waiting tap must run before it.
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
