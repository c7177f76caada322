import { isDeepStrictEqual } from 'node:util';
import { describeValue, isPlainObject } from '../../../../kernel/index.ts';

/** One change of an overlay (OpenAPI Overlay 1.0.0, section 4.4.3). */
export interface OverlayAction {
  /** A JSONPath (RFC 9535). */
  readonly target: string;
  readonly description?: string;
  readonly update?: unknown;
  /** A JSONPath to the one value to merge into the targets. Overlay 1.1 only. */
  readonly copy?: string;
  readonly remove?: boolean;
}

export interface OverlayFile {
  /** True for version 1.1, in which values of different kinds cannot be merged. */
  readonly isStrict: boolean;
  readonly actions: readonly OverlayAction[];
}

const fields = {
  overlay: ['overlay', 'info', 'extends', 'actions'],
  info: ['title', 'version'],
  action: ['target', 'description', 'update', 'remove'],
};

/** Checks the value of an overlay file, versions 1.0 and 1.1. Returns the first fault as the end of a sentence. */
export function overlayOf(value: unknown): OverlayFile | string {
  if (!isPlainObject(value)) return `expected an object, received ${describeValue(value)}`;
  const { overlay, info, extends: base, actions } = value;
  const version = typeof overlay === 'string' ? /^1\.([01])\.\d+$/.exec(overlay)?.[1] : undefined;
  if (version === undefined) return `"overlay" is the version of the format: expected "1.0.0", received ${describeValue(overlay)}`;
  const isStrict = version === '1';
  const unknown = unknownField(value, fields.overlay);
  if (unknown !== undefined) return unknown;
  const faultOfInfo = infoFault(info, isStrict);
  if (faultOfInfo !== undefined) return faultOfInfo;
  if (base !== undefined && typeof base !== 'string') return `"extends" is a text, received ${describeValue(base)}`;
  if (!Array.isArray(actions) || actions.length === 0)
    return `"actions" is a list of at least one action, received ${describeValue(actions)}`;
  for (const [index, action] of actions.entries()) {
    const fault = actionFault(action, isStrict);
    if (fault !== undefined) return `actions[${index}]: ${fault}`;
  }
  const repeated = repeatedIndex(actions);
  if (repeated !== undefined) return `actions[${repeated}] is there twice. Remove one`;
  return { isStrict, actions };
}

function infoFault(info: unknown, isStrict: boolean): string | undefined {
  if (!isPlainObject(info)) return `"info" is an object with title and version, received ${describeValue(info)}`;
  for (const name of fields.info) {
    if (typeof info[name] !== 'string') return `"info.${name}" is a text, received ${describeValue(info[name])}`;
  }
  const { description } = info;
  if (isStrict && description !== undefined && typeof description !== 'string')
    return `"info.description" is a text, received ${describeValue(description)}`;
  return unknownField(info, isStrict ? [...fields.info, 'description'] : fields.info);
}

function actionFault(action: unknown, isStrict: boolean): string | undefined {
  if (!isPlainObject(action)) return `expected an object, received ${describeValue(action)}`;
  const { target, description, remove, copy } = action;
  if (typeof target !== 'string' || !target.startsWith('$'))
    return `"target" is a JSONPath that begins with "$", received ${describeValue(target)}`;
  if (description !== undefined && typeof description !== 'string')
    return `"description" is a text, received ${describeValue(description)}`;
  if (remove !== undefined && typeof remove !== 'boolean') return `"remove" is true or false, received ${describeValue(remove)}`;
  if (isStrict && copy !== undefined && (typeof copy !== 'string' || !copy.startsWith('$')))
    return `"copy" is a JSONPath that begins with "$", received ${describeValue(copy)}`;
  return unknownField(action, isStrict ? [...fields.action, 'copy'] : fields.action);
}

function unknownField(value: Record<string, unknown>, known: readonly string[]): string | undefined {
  const unknown = Object.keys(value).find((name) => !known.includes(name) && !name.startsWith('x-'));
  return unknown === undefined
    ? undefined
    : `"${unknown.slice(0, 40)}" is no field here: expected ${known.join(', ')} or a name with x- before it`;
}

function repeatedIndex(actions: readonly unknown[]): number | undefined {
  const byTarget = new Map<string, unknown[]>();
  for (const [index, action] of actions.entries()) {
    const { target } = action as OverlayAction;
    const others = byTarget.get(target) ?? [];
    if (others.some((other) => isDeepStrictEqual(other, action))) return index;
    byTarget.set(target, [...others, action]);
  }
  return undefined;
}
