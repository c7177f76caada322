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
  readonly at: Readonly<Record<string, JsonValue>>;
  /** The page size, when it is known. */
  readonly size?: number;
  /** True for the beginning of the list. */
  readonly isStart?: boolean;
  /** True when this position is only valid with this page size. */
  readonly isFixed?: boolean;
}

export interface Asked {
  readonly place: PagePosition;
  /** The number of items to drop at the beginning of the page. @default 0 */
  readonly skip?: number;
}

export interface Turn {
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
  readonly leads: readonly string[];
  /** The parameters that a caller needs to continue at a position. */
  readonly resumes: readonly string[];
  /** True when the next position is computed from the previous one. @default false */
  readonly isCounted?: boolean;
  /** Returns the request for up to `wanted` more items. */
  ask(from: PagePosition, wanted: number): Asked;
  /**
   * Returns the items of a page and the next position. `wanted` is undefined for a single request as the caller wrote it. Throws
   * EXECUTION_FAILED when the next position cannot be found.
   */
  take(asked: Asked, page: Page, wanted: number | undefined): Turn;
}

export interface PagesContext {
  readonly size: Paginate['size'];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly execution: HttpExecution;
  readonly toolName: string;
}

/** Returns the position that the parameters of a call name. Throws INVALID_PARAMETERS for a number too large to count from. */
export function startOf(
  { leads, isCounted = false }: Pages,
  { size, parameters }: PagesContext,
  given: Readonly<Record<string, unknown>>,
): PagePosition {
  const names = leads.filter((name) => name !== size?.parameter && given[name] !== undefined);
  for (const name of isCounted ? names : []) {
    const value = given[name];
    if (typeof value === 'string' && isUnsafeInteger(value))
      refuseValue(name, 'an integer up to 2^53−1, because pages are counted from it');
  }
  const own = size === undefined ? undefined : given[size.parameter];
  return {
    at: Object.fromEntries(names.map((name) => [name, given[name] as JsonValue])),
    ...(typeof own === 'number' && own > 0 ? { size: own } : {}),
    isStart: names.every((name) => given[name] === parameters[name]?.default),
  };
}

/**
 * Returns the value that a caller passes to continue at a position: a single value where one parameter is enough, else an
 * object of parameters and values.
 */
export function resumeOf({ resumes }: Pages, size: Paginate['size'], place: PagePosition | undefined): JsonValue {
  if (place === undefined) return null;
  const values = { ...(size === undefined || place.size === undefined ? {} : { [size.parameter]: place.size }), ...place.at };
  const [only = ''] = resumes;
  return resumes.length === 1
    ? (values[only] ?? null)
    : Object.fromEntries(Object.entries(values).filter(([name]) => resumes.includes(name)));
}

export function isNumber(parameter: Parameter | undefined): boolean {
  return [parameter?.type].flat().some((type) => type === 'integer' || type === 'number');
}
