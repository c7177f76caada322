import type { JsonObject } from '../../../kernel/index.ts';
import type { OpenidOptions } from '../options.ts';

/** Returns true for claims of an operator: one of the named claims is, or has, one of its values. `email` counts only when it was verified. */
export function isOperator(claims: JsonObject, operators: OpenidOptions['operators']): boolean {
  return Object.entries(operators).some(([claim, allowed]) => {
    if (!Object.hasOwn(claims, claim) || (claim === 'email' && claims['email_verified'] !== true)) return false;
    return [claims[claim]].flat().some((value) => typeof value === 'string' && allowed.includes(value));
  });
}
