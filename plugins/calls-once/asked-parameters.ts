import { isPlainObject, renderValue } from '../../kernel/index.ts';
import type { Span } from './timing.ts';
import type { Verify } from './verify.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Returns the parameters for the tool of "verify", filled from the parameters of the call. */
export function askedParameters({ parameters = {} }: Verify, given: Parameters, { beginsAt }: Span): Parameters {
  const begunAt = `${new Date(beginsAt).toISOString().slice(0, 19)}Z`;
  return filled(parameters, { ...given, begun_at: begunAt }) as Parameters;
}

const member = /^\{(\w+(?:\.\w+)+)\}$/;

/** Renders a template as usual, and also `{name.member}`. Leaves out entries without a value. */
function filled(template: unknown, given: Parameters): unknown {
  if (Array.isArray(template)) return template.map((item) => filled(item, given)).filter((item) => item !== undefined);
  if (isPlainObject(template)) {
    const entries = Object.entries(template).map(([key, value]) => [key, filled(value, given)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  const path = typeof template === 'string' ? member.exec(template)?.[1] : undefined;
  return path === undefined ? renderValue(template, (name) => given[name]) : path.split('.').reduce<unknown>(memberOf, given);
}

function memberOf(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
