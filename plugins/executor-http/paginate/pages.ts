import { isUnsafeInteger, type JsonValue, type Parameter, refuseValue } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import type { Paginate } from '../definition/paginate.ts';

/** An answer, with the list in it. */
export interface Page {
  readonly body: JsonValue;
  readonly headers: Headers;
  readonly items: readonly JsonValue[];
}

/** Where in a list a request begins. */
export interface PagePosition {
  /** Values of the parameters that lead there; a parameter without one is not sent. */
  readonly at: Readonly<Record<string, JsonValue>>;
  /** The page size, when it is known. */
  readonly size?: number;
  /** Nothing led here: the beginning of the list. */
  readonly isStart?: boolean;
  /** Found with this page size, and not to be asked for with another one. */
  readonly isFixed?: boolean;
}

export interface Asked {
  readonly place: PagePosition;
  /** How many items at the beginning of the page the call does not want. Default none. */
  readonly skip?: number;
}

export interface Turn {
  /** What of the page counts. */
  readonly items: readonly JsonValue[];
  /** What comes after these items; undefined at the end of the list. */
  readonly next?: PagePosition;
  /** How many items come after these, when the answer says so. */
  readonly remaining?: number;
}

/** A way through a list. What it returns depends on its arguments only. */
export interface Pages {
  /** The parameters that lead to a place. */
  readonly leads: readonly string[];
  /** The parameters that a caller needs to go on at a place. */
  readonly resumes: readonly string[];
  /** The next place is worked out from the one before. @default false */
  readonly isCounted?: boolean;
  /** What to ask for, where `wanted` more items are wanted. */
  ask(from: PagePosition, wanted: number): Asked;
  /** `wanted` is undefined for a request that is as the caller wrote it. Throws EXECUTION_FAILED when it cannot be told how to go on. */
  take(asked: Asked, page: Page, wanted: number | undefined): Turn;
}

export interface PagesContext {
  readonly size: Paginate['size'];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly execution: HttpExecution;
  readonly toolName: string;
}

/** The place that the parameters of a call name. Throws INVALID_PARAMETERS for one that cannot be counted from. */
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

/** What a caller passes to go on at a place: a value where one parameter does it, else an object of parameters and values. */
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
