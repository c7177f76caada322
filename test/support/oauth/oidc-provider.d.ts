/** The parts of oidc-provider that tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Saved {
    save(ttlS?: number): Promise<string>;
    [member: string]: unknown;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: Readonly<Record<string, unknown>>; readonly prompt: { readonly name: string } }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { readonly mergeWithLastSubmission?: boolean },
    ): Promise<void>;
    on(event: string, listener: (...given: readonly unknown[]) => void): this;
    readonly AccessToken: { find(token: string): Promise<(Saved & { readonly accountId?: string; readonly scope?: string }) | undefined> };
    readonly Client: { readonly adapter: { destroy(id: string): Promise<void> } };
    readonly DeviceCode: { findByUserCode(userCode: string): Promise<Saved | undefined> };
    readonly Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Saved & { addOIDCScope(scope: string): void; addResourceScope(resource: string, scope: string): void };
  }
}
