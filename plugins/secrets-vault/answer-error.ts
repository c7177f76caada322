import { excerpt, isPlainObject, type ToolkitError } from '../../kernel/index.ts';
import { parseRetryAfterMs } from '../shared/http/status.ts';
import { outage, refusal } from '../shared/remote-secrets/store-failure.ts';
import { detailsOf, type VaultAnswer, type VaultRequest } from './connection.ts';

export interface RequestContext {
  readonly request: VaultRequest;
  /** Advice for credentials that Vault does not accept, as a sentence. */
  readonly advice: string;
  /** Masks secrets in foreign text. */
  readonly mask: (text: string) => string;
}

/**
 * Status codes of temporary failures beside 5xx: consistency (412), quotas (429), standby nodes (472, 473); see "HTTP status
 * codes" of the API.
 */
const temporaryStatuses = [408, 412, 429, 472, 473];

/** Makes the error of an unsuccessful answer of Vault. */
export function answerError({ request, advice, mask }: RequestContext, { status, headers, body }: VaultAnswer): ToolkitError {
  const { location, path } = request;
  const vaultText = messagesOf(body);
  const displayedText = excerpt(mask(vaultText));
  const statusText = `${status}${displayedText === '' ? '' : `: ${displayedText}`}`;
  const details = detailsOf(request, status);
  if (status === 503 && /\bsealed\b/i.test(vaultText)) {
    return refusal(
      `${location.label} is sealed, so that "${path}" cannot be asked for (${statusText}). Unseal it: vault operator unseal.`,
      details,
    );
  }
  if (status >= 500 || temporaryStatuses.includes(status)) {
    const retryAfterMs = parseRetryAfterMs(headers);
    return outage(`${location.label} cannot answer for "${path}" at the moment (${statusText}). Try again later.`, {
      ...details,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (status === 404)
    return refusal(`${location.label} has nothing at "${path}" (${statusText}). ${missingAdvice(request, vaultText)}.`, details);
  if (status === 400 || status === 401 || status === 403)
    return refusal(`${location.label} refuses "${path}" (${statusText}). ${advice}.`, details);
  return refusal(`${location.label} gave no answer of Vault for "${path}" (${statusText}). Check VAULT_ADDR.`, details);
}

function missingAdvice({ method, path }: VaultRequest, vaultText: string): string {
  if (method === 'POST') return 'Enable the auth method there, or correct auth.mount or the namespace';
  if (/versioned K\/V/i.test(vaultText)) {
    return `It is a mount of KV version 2, where "data" stands right behind the mount, as in secret/data/shop. Correct secretPath, received "${path}"`;
  }
  if (/no handler for route|unsupported path/i.test(vaultText))
    return 'No secrets engine is mounted there. Correct secretPath or the namespace';
  return 'Write it with "vault kv put", or correct secretPath or the namespace; a mount of KV version 1 is not supported';
}

/** Returns the `errors` of a failure, and the `warnings` of an answer without data. */
function messagesOf(body: unknown): string {
  const { errors, warnings } = isPlainObject(body) ? body : {};
  return [errors, warnings]
    .flat()
    .filter((text) => typeof text === 'string')
    .join('; ');
}
