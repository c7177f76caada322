import { excerpt, type JsonObject, ToolkitError, toUrl } from '../../../../../kernel/index.ts';
import type { IssuerDocuments } from './fetch-json.ts';

/** How long metadata counts, in milliseconds. */
const keptMs = 60 * 60_000;

/** What an issuer says of itself (RFC 8414, and OpenID Connect Discovery 1.0), fetched when it is first needed. */
export class IssuerMetadata {
  readonly #issuer: string;
  readonly #documents: IssuerDocuments;
  #kept: { readonly metadata: JsonObject; readonly until: number } | undefined;
  #pending: Promise<JsonObject> | undefined;

  constructor(issuer: string, documents: IssuerDocuments) {
    this.#issuer = issuer;
    this.#documents = documents;
  }

  /** Where it cannot be fetched again, what was fetched before still counts. Throws UPSTREAM_UNAVAILABLE. */
  async get(): Promise<JsonObject> {
    const kept = this.#kept;
    if (kept !== undefined && Date.now() < kept.until) return kept.metadata;
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined;
    });
    try {
      return await this.#pending;
    } catch (error) {
      if (kept === undefined) throw error;
      return kept.metadata;
    }
  }

  async #fetch(): Promise<JsonObject> {
    let last: unknown;
    for (const url of wellKnownUrls(this.#issuer)) {
      try {
        const metadata = await this.#documents.get(url);
        // RFC 8414, 3.3: else whoever serves that address could speak for another issuer.
        if (metadata['issuer'] !== this.#issuer) throw otherIssuer(url, this.#issuer, metadata['issuer']);
        this.#kept = { metadata, until: Date.now() + keptMs };
        return metadata;
      } catch (error) {
        last = error;
        // No connection: its other addresses have none either.
        if (ToolkitError.is(error) && error.details.status === undefined && error.details.issues === undefined) break;
      }
    }
    throw last;
  }
}

/** RFC 8414, 3.1, then OpenID Connect: with the path behind the well-known part, then before it. */
function wellKnownUrls(issuer: string): readonly string[] {
  const { origin, pathname } = toUrl(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

function otherIssuer(url: string, expected: string, received: unknown): ToolkitError {
  const message = `expected "${expected}", received "${excerpt(String(received), 100)}"`;
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `The metadata at ${url} is not that of the issuer: ${message}. Write the issuer in "issuers" as it calls itself.`,
    { issues: [{ path: 'issuer', message }] },
  );
}
