import type { DeviceAuthorization, OAuthClient, TokenSet } from '../../shared/oauth/types.ts';

export interface DeviceLogin {
  readonly scopes: readonly string[];
  /** Shows the address and the code to the person. */
  readonly show: (device: DeviceAuthorization) => void;
  readonly signal: AbortSignal;
}

/** Logs in on another device (RFC 8628). Resolves when the person has agreed there. */
export async function deviceLogin(client: OAuthClient, { scopes, show, signal }: DeviceLogin): Promise<TokenSet> {
  const device = await client.beginDevice(scopes, signal);
  show(device);
  return client.finishDevice(device, signal);
}
