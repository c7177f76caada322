import { preset } from './preset.ts';

export const salesforce = preset({
  name: 'salesforce',
  description: 'Salesforce, customers, leads and opportunities.',
  documentationUrl: 'https://help.salesforce.com/s/articleView?id=xcloud.connected_app_create_api_integration.htm',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://{SALESFORCE_LOGIN_HOST}/services/oauth2/authorize',
    token_url: 'https://{SALESFORCE_LOGIN_HOST}/services/oauth2/token',
    revoke_url: 'https://{SALESFORCE_LOGIN_HOST}/services/oauth2/revoke',
    client_auth: 'basic',
    // The answer says at which address the organisation is.
    provides: { SALESFORCE_ACCESS_TOKEN: 'access_token', SALESFORCE_INSTANCE_URL: 'instance_url' },
    account_path: 'id_token.preferred_username',
    scopes: { identity: ['openid'], api: ['openid', 'api', 'refresh_token'] },
  },
  values: [
    {
      parameter: 'SALESFORCE_LOGIN_HOST',
      env_pattern: 'SALESFORCE_LOGIN_HOST',
      required: false,
      secret: false,
      default: 'login.salesforce.com',
      description: 'Host of the login: test.salesforce.com for a sandbox, or that of your domain.',
    },
    {
      parameter: 'SALESFORCE_INSTANCE_URL',
      env_pattern: 'SALESFORCE_INSTANCE_URL',
      required: false,
      secret: false,
      description: 'Address of the organisation. A login supplies it.',
    },
  ],
});
