import { isPlainObject, renderValue } from '../../kernel/index.ts';
import type { Span } from './timing.ts';
import type { Verify } from './verify.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Returns the parameters for the tool of "verify", filled from the parameters of the call. */
export function verificationParameters({ parameters = {} }: Verify, callParameters: Parameters, { beginsAt }: Span): Parameters {
  const begunAt = `${new Date(beginsAt).toISOString().slice(0, 19)}Z`;
  return fillTemplate(parameters, { ...callParameters, begun_at: begunAt }) as Parameters;
}

const member = /^\{(\w+(?:\.\w+)+)\}$/;

/** Renders a template as usual, and also `{name.member}`. Leaves out entries without a value. */
function fillTemplate(template: unknown, values: Parameters): unknown {
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values)).filter((item) => item !== undefined);
  if (isPlainObject(template)) {
    const entries = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  const path = typeof template === 'string' ? member.exec(template)?.[1] : undefined;
  return path === undefined ? renderValue(template, (name) => values[name]) : path.split('.').reduce<unknown>(memberOf, values);
}

function memberOf(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
