import { excerpt, isPlainObject, type ToolkitError } from '../../kernel/index.ts';
import type { StoredValues } from '../shared/remote-secrets/remote-store.ts';
import { refusal } from '../shared/remote-secrets/store-failure.ts';
import { detailsOf, type VaultAnswer, type VaultRequest } from './connection.ts';

/**
 * Returns the values in an answer to a read of KV version 2; undefined for any other answer. Vault answers a deleted or
 * destroyed version with its metadata and 404, and a planned deletion with a `deletion_time` and the values.
 */
export function valuesIn({ status, body }: VaultAnswer): StoredValues | undefined {
  const data = status === 200 && isPlainObject(body) && isPlainObject(body['data']) ? body['data']['data'] : undefined;
  return isPlainObject(data) ? new Map(Object.entries(data)) : undefined;
}

/** Makes the error of an answer without values, where its shape gives the reason. */
export function withoutValues(request: VaultRequest, { status, headers, body }: VaultAnswer): ToolkitError | undefined {
  if (status !== 200 && status !== 404) return undefined;
  const { location, path } = request;
  const details = detailsOf(request, status);
  const data = isPlainObject(body) && isPlainObject(body['data']) ? body['data'] : undefined;
  const metadata = isPlainObject(data?.['metadata']) ? data['metadata'] : undefined;
  if (metadata !== undefined) {
    const version = `Version ${String(Number(metadata['version']))} of "${path}" in ${location.label}`;
    if (metadata['destroyed'] === true) return refusal(`${version} is destroyed. Write a new one with "vault kv put".`, details);
    return refusal(`${version} is deleted. Bring it back with "vault kv undelete", or write a new one with "vault kv put".`, details);
  }
  if (status === 404) return undefined;
  if (data !== undefined) {
    return refusal(
      `${location.label} has no KV version 2 at "${path}": expected data.data, received an answer without it, as a mount of version 1 gives. Upgrade the mount with "vault kv enable-versioning", or correct secretPath.`,
      details,
    );
  }
  const received = body === undefined ? excerpt(headers.get('content-type') ?? 'no content type', 60) : 'JSON without data';
  return refusal(
    `${location.label} gave no answer of Vault for "${path}": expected JSON with data.data, received ${received}. Check VAULT_ADDR: something else may answer there.`,
    details,
  );
}
