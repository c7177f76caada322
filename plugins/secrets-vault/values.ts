import { describeValue, excerpt, isPlainObject, type ToolkitError } from '../../kernel/index.ts';
import { refusal } from '../shared/remote-secrets/store-failure.ts';
import { detailsOf, type VaultAnswer, type VaultRequest } from './connection.ts';

/** What one secret of Vault holds, by key, as JSON has it. */
export type SecretValues = ReadonlyMap<string, unknown>;

/**
 * The values in an answer to a read of KV version 2; undefined when it says something else. A version that is deleted or destroyed is
 * answered with its metadata and 404; a deletion that is planned, with a `deletion_time` and the values.
 */
export function valuesIn({ status, body }: VaultAnswer): SecretValues | undefined {
  const data = status === 200 && isPlainObject(body) && isPlainObject(body['data']) ? body['data']['data'] : undefined;
  return isPlainObject(data) ? new Map(Object.entries(data)) : undefined;
}

/** Why an answer has no values, where its shape says so. */
export function withoutValues(request: VaultRequest, { status, headers, body }: VaultAnswer): ToolkitError | undefined {
  if (status !== 200 && status !== 404) return undefined;
  const { place, path } = request;
  const details = detailsOf(request, status);
  const data = isPlainObject(body) && isPlainObject(body['data']) ? body['data'] : undefined;
  const metadata = isPlainObject(data?.['metadata']) ? data['metadata'] : undefined;
  if (metadata !== undefined) {
    const version = `Version ${String(Number(metadata['version']))} of "${path}" in ${place.label}`;
    if (metadata['destroyed'] === true) return refusal(`${version} is destroyed. Write a new one with "vault kv put".`, details);
    return refusal(`${version} is deleted. Bring it back with "vault kv undelete", or write a new one with "vault kv put".`, details);
  }
  if (status === 404) return undefined;
  if (data !== undefined) {
    return refusal(
      `${place.label} has no KV version 2 at "${path}": expected data.data, received an answer without it, as a mount of version 1 gives. Upgrade the mount with "vault kv enable-versioning", or correct secretPath.`,
      details,
    );
  }
  const received = body === undefined ? excerpt(headers.get('content-type') ?? 'no content type', 60) : 'JSON without data';
  return refusal(
    `${place.label} gave no answer of Vault for "${path}": expected JSON with data.data, received ${received}. Check VAULT_ADDR: something else may answer there.`,
    details,
  );
}

export type Found =
  | { readonly type: 'value'; readonly value: string }
  /** There is a value, but none that is text. `received` says what it is, without the value. */
  | { readonly type: 'unusable'; readonly key: string; readonly received: string }
  | { readonly type: 'otherCase'; readonly key: string }
  | { readonly type: 'missing' };

/** The value of a name: `NAME`, then `TOOLKIT_NAME`, exactly. Whole numbers and booleans become text; what is empty is not there. */
export function lookUp(values: SecretValues, name: string): Found {
  const keys = [name, `TOOLKIT_${name}`];
  let unusable: Found | undefined;
  for (const key of keys) {
    const raw = values.get(key);
    if (raw === undefined || raw === null || raw === '') continue;
    const value = textOf(raw);
    if (value !== undefined) return { type: 'value', value };
    unusable ??= { type: 'unusable', key, received: typeof raw === 'number' ? 'a number' : describeValue(raw) };
  }
  if (unusable !== undefined) return unusable;
  const wanted = keys.map((key) => key.toLowerCase());
  const key = [...values.keys()].find((candidate) => !keys.includes(candidate) && wanted.includes(candidate.toLowerCase()));
  return key === undefined ? { type: 'missing' } : { type: 'otherCase', key };
}

/** A number that JSON.parse may have changed is no text: `1.10` becomes 1.1, and from 2^53 on digits are lost. */
function textOf(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'boolean' || Number.isSafeInteger(raw) ? String(raw) : undefined;
}
