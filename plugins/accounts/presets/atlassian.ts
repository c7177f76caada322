import { preset } from './preset.ts';

export const atlassian = preset({
  name: 'atlassian',
  description: 'Atlassian Cloud: Jira and Confluence.',
  documentationUrl: 'https://developer.atlassian.com/console/myapps/',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://auth.atlassian.com/authorize',
    token_url: 'https://auth.atlassian.com/oauth/token',
    authorization_params: { audience: 'api.atlassian.com', prompt: 'consent' },
    pkce: false,
    // A refresh token is given with offline_access alone.
    scopes: {
      jira_read: ['offline_access', 'read:jira-work', 'read:jira-user'],
      jira_write: ['offline_access', 'read:jira-work', 'read:jira-user', 'write:jira-work'],
      confluence_read: ['offline_access', 'search:confluence', 'read:confluence-content.all'],
    },
  },
});
