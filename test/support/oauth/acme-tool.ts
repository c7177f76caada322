/** Returns the definition of the provider "acme", with the client `toolkit` of a `providerServer`. `scopes`: YAML. */
export function acmeProvider(issuer: string, api: string, scopes = '{ send: [openid, email, offline_access, write] }'): string {
  return `provider: { name: acme }
base_url: ${api}
auth: { type: bearer, token: "{ACME_TOKEN}" }
oauth2:
  issuer: ${issuer}
  auth_url: ${issuer}/auth
  token_url: ${issuer}/token
  client_id: toolkit
  client_secret: \${ACME_CLIENT_SECRET}
  client_auth: basic
  authorization_params: { prompt: consent }
  scopes: ${scopes}
  provides: { ACME_TOKEN: access_token }
  account_path: id_token.email
`;
}

/** A tool of "acme" that writes, and needs all of these scopes. */
export const acmeTool = `name: acme_send_message
description: Sends a message.
provider: acme
parameters: { text: { type: string, required: true, description: The message. } }
execution: { type: http, method: POST, url: /messages, body: { text: "{text}" } }
authentication: { type: bearer, provider: acme, required_scopes: [openid, email, offline_access, write] }
risk: low
`;
