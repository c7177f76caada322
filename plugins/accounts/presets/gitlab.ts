import { preset } from './preset.ts';

export const gitlab = preset({
  name: 'gitlab',
  description: 'GitLab, gitlab.com or an installation of your own.',
  documentationUrl: 'https://docs.gitlab.com/integration/oauth_provider/',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: '{GITLAB_URL}/oauth/authorize',
    token_url: '{GITLAB_URL}/oauth/token',
    revoke_url: '{GITLAB_URL}/oauth/revoke',
    client_auth: 'basic',
    scopes: { read: ['read_user', 'read_api', 'read_repository'], write: ['api'] },
  },
  values: [
    {
      parameter: 'GITLAB_URL',
      env_pattern: 'GITLAB_URL',
      required: false,
      secret: false,
      default: 'https://gitlab.com',
      description: 'Address of the installation.',
    },
  ],
});
