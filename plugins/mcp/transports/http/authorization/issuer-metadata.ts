import { excerpt, type JsonObject, ToolkitError } from '../../../../../kernel/index.ts';
import { serverMetadataUrls } from '../../../../shared/oauth/well-known.ts';
import type { IssuerDocuments } from './fetch-json.ts';

/** Cache time of metadata, in milliseconds. */
const cacheTtlMs = 60 * 60_000;

/** Metadata of an issuer (RFC 8414, and OpenID Connect Discovery 1.0), fetched at its first use. */
export class IssuerMetadata {
  readonly #issuer: string;
  readonly #documents: IssuerDocuments;
  #cached: { readonly metadata: JsonObject; readonly until: number } | undefined;
  #pending: Promise<JsonObject> | undefined;

  constructor(issuer: string, documents: IssuerDocuments) {
    this.#issuer = issuer;
    this.#documents = documents;
  }

  /** Returns the metadata. If it cannot be fetched again, returns the earlier one. Throws UPSTREAM_UNAVAILABLE. */
  async get(): Promise<JsonObject> {
    const kept = this.#cached;
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
    for (const url of serverMetadataUrls(this.#issuer)) {
      try {
        const metadata = await this.#documents.get(url);
        // RFC 8414, 3.3: otherwise the server at that address could speak for another issuer.
        if (metadata['issuer'] !== this.#issuer) throw otherIssuer(url, this.#issuer, metadata['issuer']);
        this.#cached = { metadata, until: Date.now() + cacheTtlMs };
        return metadata;
      } catch (error) {
        last = error;
        // Without a connection the other well-known addresses fail as well.
        if (ToolkitError.is(error) && error.details.status === undefined && error.details.issues === undefined) break;
      }
    }
    throw last;
  }
}

function otherIssuer(url: string, expected: string, received: unknown): ToolkitError {
  const message = `expected "${expected}", received "${excerpt(String(received), 100)}"`;
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `The metadata at ${url} is not that of the issuer: ${message}. Write the issuer in "issuers" as it calls itself.`,
    { issues: [{ path: 'issuer', message }] },
  );
}
