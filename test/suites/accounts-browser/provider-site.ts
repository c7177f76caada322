import { expect } from 'chai';
import { type Started, start } from '../../e2e/program.ts';
import { json, loopback } from '../../support/loopback.ts';
import { type ProviderServer, providerServer } from '../../support/oauth/provider-server.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** Scopes as long as those of large providers, which have no place to break a line. */
export const scopes = {
  read: 'https://acme.example/auth/messages.metadata.read-only.for-the-whole-organization',
  write: 'https://acme.example/auth/messages.send-as-the-person.for-the-whole-organization',
} as const;

const definition = (issuer: string, api: string): string => `
provider: { name: acme, documentation_url: https://acme.example/apps }
base_url: ${api}
auth: { type: bearer, token: "{ACME_TOKEN}" }
oauth2:
  issuer: ${issuer}
  auth_url: ${issuer}/auth
  token_url: ${issuer}/token
  device_url: ${issuer}/device/auth
  revoke_url: ${issuer}/token/revocation
  client_id: toolkit
  client_secret: \${ACME_CLIENT_SECRET}
  client_auth: basic
  authorization_params: { prompt: consent }
  account_path: id_token.email
  scopes:
    read: [openid, email, offline_access, "${scopes.read}"]
    write: [openid, email, offline_access, "${scopes.write}"]
  provides: { ACME_TOKEN: access_token }
`;

const tool = `
name: acme_read_messages
description: Reads the messages of the person.
execution: { type: http, method: get, url: /messages }
risk: low
authentication: { type: bearer, required_scopes: [openid, email, offline_access, "${scopes.read}"] }
`;

/** The registration of the program: its redirects, at any port of this machine (RFC 8252, 7.3). */
const client = {
  client_id: 'toolkit',
  client_secret: 'toolkit-secret',
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/accounts/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
};

export interface ProviderSite {
  /** The authorization server, with pages for people. To a browser it is another site than the program. */
  readonly provider: ProviderServer;
  /** Access tokens that the API was called with, in order. It answers those that the provider knows. */
  readonly used: readonly string[];
  /** Starts the built program in the folder of a user who has the provider and a tool of it. */
  start(...args: readonly string[]): Started;
  /** Runs the program to its end. Fails when it fails. Returns its standard output. */
  run(...args: readonly string[]): Promise<string>;
}

export interface ProviderSiteOptions {
  /** More files of the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** The only redirect of the registration. @default those on loopback, at any port */
  readonly redirectUri?: string;
}

export async function providerSite({ files = {}, redirectUri }: ProviderSiteOptions = {}): Promise<ProviderSite> {
  const registered = redirectUri === undefined ? client : { ...client, application_type: 'web', redirect_uris: [redirectUri] };
  const provider = await providerServer({
    host: 'localhost',
    hasPages: true,
    scopes: Object.values(scopes),
    configuration: { clients: [registered] },
  });
  const used: string[] = [];
  const api = await loopback(async ({ headers }, response) => {
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    used.push(token);
    const known = await provider.introspect(token);
    json(response, known ?? { error: 'invalid_token' }, known === undefined ? 401 : 200);
  });
  const cwd = await temporaryFolder({
    'package.json': '{ "name": "mine", "type": "module" }',
    'toolkit.config.json': JSON.stringify({
      plugins: [['toolkit/standard', { toolPaths: ['tools'], includeCore: false, autoDiscover: false, allowHosts: ['127.0.0.1'] }]],
    }),
    'tools/acme/definition.yaml': definition(provider.issuer, api.url),
    'tools/acme/acme_read_messages.yaml': tool,
    ...files,
  });
  const begin = (...args: readonly string[]): Started =>
    start(args, { cwd, env: { XDG_STATE_HOME: `${cwd}/state`, ACME_CLIENT_SECRET: 'toolkit-secret' } });
  return {
    provider,
    used,
    start: begin,
    async run(...args) {
      const started = begin(...args);
      started.child.stdin?.end();
      const { code } = await started.exit;
      expect(code, started.stderr() + started.stdout()).to.equal(0);
      return started.stdout();
    },
  };
}
