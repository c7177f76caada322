import { isUnsafeInteger, type JsonValue, type Parameter, refuseValue } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import type { Paginate } from '../definition/paginate.ts';

/** An answer with its list of items. */
export interface Page {
  readonly body: JsonValue;
  readonly headers: Headers;
  readonly items: readonly JsonValue[];
}

/** The position in a list at which a request begins. */
export interface PagePosition {
  /** Values of the parameters that lead to it. A parameter without a value is not sent. */
  readonly values: Readonly<Record<string, JsonValue>>;
  /** The page size, when it is known. */
  readonly size?: number;
  /** True for the beginning of the list. */
  readonly isStart?: boolean;
  /** True when this position is only valid with this page size. */
  readonly isSizeFixed?: boolean;
}

export interface PageRequest {
  readonly position: PagePosition;
  /** The number of items to drop at the beginning of the page. @default 0 */
  readonly skip?: number;
}

export interface PageResult {
  /** The items of the page that count. */
  readonly items: readonly JsonValue[];
  /** The position after these items; undefined at the end of the list. */
  readonly next?: PagePosition;
  /** The number of items after these, when the answer gives it. */
  readonly remaining?: number;
}

/** A way through a list. Its methods have no state: results depend on the arguments only. */
export interface Pages {
  /** The parameters that lead to a position. */
  readonly positionParameters: readonly string[];
  /** The parameters that a caller needs to continue at a position. */
  readonly resumeParameters: readonly string[];
  /** True when the next position is computed from the previous one. @default false */
  readonly isNumbered?: boolean;
  /** Returns the request for up to `wanted` more items. */
  nextRequest(from: PagePosition, wanted: number): PageRequest;
  /**
   * Returns the items of a page and the next position. `wanted` is undefined for a single request as the caller wrote it. Throws
   * EXECUTION_FAILED when the next position cannot be found.
   */
  readPage(request: PageRequest, page: Page, wanted: number | undefined): PageResult;
}

export interface PagesContext {
  readonly size: Paginate['size'];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly execution: HttpExecution;
  readonly toolName: string;
}

/** Returns the position that the parameters of a call name. Throws INVALID_PARAMETERS for a number too large to count from. */
export function startOf(
  { positionParameters, isNumbered = false }: Pages,
  { size, parameters }: PagesContext,
  callParameters: Readonly<Record<string, unknown>>,
): PagePosition {
  const names = positionParameters.filter((name) => name !== size?.parameter && callParameters[name] !== undefined);
  for (const name of isNumbered ? names : []) {
    const value = callParameters[name];
    if (typeof value === 'string' && isUnsafeInteger(value))
      refuseValue(name, 'an integer up to 2^53−1, because pages are counted from it');
  }
  const own = size === undefined ? undefined : callParameters[size.parameter];
  return {
    values: Object.fromEntries(names.map((name) => [name, callParameters[name] as JsonValue])),
    ...(typeof own === 'number' && own > 0 ? { size: own } : {}),
    isStart: names.every((name) => callParameters[name] === parameters[name]?.default),
  };
}

/**
 * Returns the value that a caller passes to continue at a position: a single value where one parameter is enough, else an
 * object of parameters and values.
 */
export function resumeOf({ resumeParameters }: Pages, size: Paginate['size'], position: PagePosition | undefined): JsonValue {
  if (position === undefined) return null;
  const values = { ...(size === undefined || position.size === undefined ? {} : { [size.parameter]: position.size }), ...position.values };
  const [only = ''] = resumeParameters;
  return resumeParameters.length === 1
    ? (values[only] ?? null)
    : Object.fromEntries(Object.entries(values).filter(([name]) => resumeParameters.includes(name)));
}

export function isNumber(parameter: Parameter | undefined): boolean {
  return [parameter?.type].flat().some((type) => type === 'integer' || type === 'number');
}
