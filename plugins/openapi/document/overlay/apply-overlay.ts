import type { JSONPathEnvironment } from 'json-p3';
import { excerpt, LongWork, messageOf } from '../../../../kernel/index.ts';
import { mergeValue, setMember } from './merge-value.ts';
import type { OverlayAction, OverlayFile } from './overlay-file.ts';

/** Maximum depth of `..`. Documents have at most 200 levels. */
const maxRecursionDepth = 1000;

type Container = Record<string | number, unknown>;

/** A value that a JSONPath selected. The root has no container. */
interface SelectedValue {
  readonly value: unknown;
  readonly container: Container | undefined;
  readonly key: string | number;
}

/**
 * Applies the actions of an overlay to a document, in place and in order. Returns the actions that matched nothing, as text. Throws an Error
 * for an action that cannot be applied, with its index.
 */
export async function applyOverlay({ actions, isStrict }: OverlayFile, document: Record<string, unknown>): Promise<readonly string[]> {
  const { JSONPathEnvironment } = await import('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth });
  const work = new LongWork();
  const unmatched: string[] = [];
  for (const [index, action] of actions.entries()) {
    if (work.isDue) await work.yieldToEventLoop();
    try {
      const selected = select(environment, action.target, document);
      if (selected.length === 0) unmatched.push(`actions[${index}]: ${excerpt(action.target)}`);
      else if (action.remove === true) removeAll(selected);
      else updateAll(selected, action, isStrict, environment, document);
    } catch (cause) {
      throw new Error(`actions[${index}] (${excerpt(action.target, 80)}): ${messageOf(cause)}`, { cause });
    }
  }
  return unmatched;
}

function updateAll(
  selected: readonly SelectedValue[],
  action: OverlayAction,
  isStrict: boolean,
  environment: JSONPathEnvironment,
  document: unknown,
): void {
  const update = action.copy === undefined ? action.update : onlyValue(select(environment, action.copy, document), action.copy);
  if (update === undefined) return;
  for (const { value, container, key } of selected) {
    const merged = mergeValue(value, update, isStrict);
    if (merged === value) continue;
    if (container === undefined) throw new Error('expected an object as update of the whole document');
    setMember(container, String(key), merged);
  }
}

function onlyValue(selected: readonly SelectedValue[], query: string): unknown {
  if (selected.length !== 1) throw new Error(`"copy" ${excerpt(query, 80)}: expected one value, received ${selected.length}`);
  return selected[0]?.value;
}

/** Removes values: items of one list all at once, because their indexes are those before the first removal. */
function removeAll(selected: readonly SelectedValue[]): void {
  const items = new Map<unknown[], Set<number>>();
  for (const { container, key } of selected) {
    if (container === undefined) throw new Error('the whole document cannot be removed');
    if (!Array.isArray(container)) delete container[key];
    else items.set(container, (items.get(container) ?? new Set()).add(Number(key)));
  }
  for (const [list, indexes] of items) {
    const remaining = list.filter((_, index) => !indexes.has(index));
    for (const [index, item] of remaining.entries()) list[index] = item;
    list.length = remaining.length;
  }
}

function select(environment: JSONPathEnvironment, query: string, document: unknown): readonly SelectedValue[] {
  const selected: SelectedValue[] = [];
  for (const { value, location } of environment.query(query, document as Parameters<JSONPathEnvironment['query']>[1])) {
    const key = location.at(-1);
    const container =
      key === undefined ? undefined : location.slice(0, -1).reduce((at, name) => at[name] as Container, document as Container);
    selected.push({ value, container, key: key ?? '' });
  }
  return selected;
}
