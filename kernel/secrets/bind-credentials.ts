import type { CredentialNeed } from '../definition/schema/credentials.ts';
import { revealSecret, Secret } from './secret.ts';

type Credentials = ReadonlyMap<string, Secret>;

/**
 * Returns a value for each need that has one. The call's own credentials come first. A value derived from an own credential wins over a stored
 * one, and a stored value never replaces an own one.
 */
export function bindCredentials(
  needs: readonly CredentialNeed[],
  own: Credentials,
  stored: (secret: string) => Secret | undefined,
): Map<string, Secret> {
  const replaced = new Set(needs.filter(({ name, unless }) => own.has(name) && unless !== undefined).map(({ unless }) => unless));
  const given = new Map<string, Secret>();
  for (const { name, secret, deriveFrom } of needs) {
    const held = own.get(name) ?? derived(name, deriveFrom, own) ?? (replaced.has(name) ? undefined : stored(secret));
    if (held !== undefined) given.set(name, held);
  }
  const bound = new Map<string, Secret>();
  for (const need of needs) {
    const { name, unless, deriveFrom } = need;
    if (unless !== undefined && given.has(unless) && !own.has(name)) continue;
    const value = given.get(name) ?? derived(name, deriveFrom, given) ?? defaultOf(need);
    if (value !== undefined) bound.set(name, value);
  }
  return bound;
}

/** Returns the required credentials without a value or a substitute: the call fails with MISSING_PARAMETER. */
export function missingCredentials(needs: readonly CredentialNeed[], bound: Credentials): readonly CredentialNeed[] {
  const isReplaced = ({ unless, anyOf = [] }: CredentialNeed): boolean =>
    (unless !== undefined && bound.has(unless)) || anyOf.some((group) => group.every((name) => bound.has(name)));
  return needs.filter((need) => need.required && !bound.has(need.name) && !isReplaced(need));
}

/** Formats the secrets of these needs: `SHOP_HOST, SHOP_TOKEN or SHOP_USER with SHOP_PASSWORD`. */
export function secretsInWords(needs: readonly CredentialNeed[]): string {
  const secretOf = (name: string): readonly string[] => needs.filter((need) => need.name === name).map(({ secret }) => secret);
  const groups = needs.flatMap(({ anyOf = [] }) => anyOf).map((group) => group.flatMap(secretOf).join(' with '));
  const alternatives = [...new Set(groups.filter((words) => words !== ''))].join(' or ');
  const alone = needs.filter(({ anyOf }) => anyOf === undefined).map(({ secret }) => secret);
  return [...new Set([...alone, ...(alternatives === '' ? [] : [alternatives])])].join(', ');
}

/**
 * Returns the names of the missing secrets of a tool: a call without own credentials fails. Leaves out a secret that is derived from another
 * missing one. `stored`: the chain's known values; a secret that was never looked up counts as missing.
 */
export function missingSecrets(needs: readonly CredentialNeed[], stored: (secret: string) => Secret | undefined): readonly string[] {
  const missing = missingCredentials(needs, bindCredentials(needs, new Map(), stored));
  const isHeld = ({ deriveFrom }: CredentialNeed): boolean => missing.some(({ name }) => name === deriveFrom?.parameter);
  return [...new Set(missing.filter((need) => !isHeld(need)).map(({ secret }) => secret))];
}

/** Handles of default values. Each need keeps its handle, because results are cached by handle. */
const defaults = new WeakMap<CredentialNeed, Secret>();

function defaultOf(need: CredentialNeed): Secret | undefined {
  if (need.default === undefined) return undefined;
  const handle = defaults.get(need) ?? new Secret(need.name, need.default);
  defaults.set(need, handle);
  return handle;
}

function derived(name: string, from: CredentialNeed['deriveFrom'], credentials: Credentials): Secret | undefined {
  const source = from === undefined ? undefined : credentials.get(from.parameter);
  if (from === undefined || source === undefined) return undefined;
  const value = new RegExp(from.pattern, 'u').exec(revealSecret(source))?.[1];
  return value === undefined || value === '' ? undefined : new Secret(name, value);
}
