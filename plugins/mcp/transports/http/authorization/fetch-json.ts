import { isPlainObject, type JsonObject, messageOf, readJson, ToolkitError, toUrl } from '../../../../../kernel/index.ts';
import { limitedText } from '../../../../shared/http/limited-text.ts';
import type { PluginConnections } from '../../../../shared/http/plugin-connections.ts';

/** Maximum size of an issuer's response. */
const maxBytes = 512 * 1024;

/** Time limit of a request to an issuer, in milliseconds. */
const timeoutMs = 5000;

/** Time after a failed fetch in which the document is not fetched again, in milliseconds. */
const cooldownMs = 5000;

/**
 * Fetches a JSON object from an issuer. The operator chose the issuer, so the guard for tool requests does not apply. Follows no
 * redirect, which would send a token, or the trust, elsewhere. Throws UPSTREAM_UNAVAILABLE, with the HTTP status if there was one.
 */
export async function fetchJson(url: string, request: RequestInit, connections: PluginConnections): Promise<JsonObject> {
  const failure = (problem: string, cause?: unknown, status?: number): ToolkitError =>
    new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `${toUrl(url).origin} gave no usable answer at ${toUrl(url).pathname}: ${problem}.`,
      status === undefined ? {} : { status },
      { cause },
    );
  let response: Response;
  let text: string;
  try {
    response = await connections.fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    text = await limitedText(response, maxBytes);
  } catch (error) {
    const { name, cause } = error as { readonly name?: string; readonly cause?: unknown };
    throw failure(name === 'TimeoutError' ? `none came within ${timeoutMs} ms` : messageOf(cause ?? error), error);
  }
  const { status } = response;
  if (status !== 200) throw failure(`expected the status 200, received ${status}`, undefined, status);
  const value = parsed(text);
  if (isPlainObject(value)) return value as JsonObject;
  throw failure('expected a JSON object, received something else');
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Documents that issuers publish. Repeated tokens cannot make this server fetch a failing document each time. */
export class IssuerDocuments {
  /** Failures by URL. Bounded by the URLs in an issuer's metadata. */
  readonly #failures = new Map<string, { readonly until: number; readonly error: unknown }>();
  readonly #connections: PluginConnections;

  constructor(connections: PluginConnections) {
    this.#connections = connections;
  }

  async get(url: string): Promise<JsonObject> {
    const failed = this.#failures.get(url);
    if (failed !== undefined && Date.now() < failed.until) throw failed.error;
    try {
      const document = await fetchJson(url, { headers: { accept: 'application/json' } }, this.#connections);
      this.#failures.delete(url);
      return document;
    } catch (error) {
      this.#failures.set(url, { until: Date.now() + cooldownMs, error });
      throw error;
    }
  }
}
