import { preset } from './preset.ts';

export const linear = preset({
  name: 'linear',
  description: 'Linear, issues and projects of product teams.',
  documentationUrl: 'https://linear.app/developers/oauth-2-0-authentication',
  source: 'arctic 3.7.0 (npm, MIT)',
  oauth2: {
    auth_url: 'https://linear.app/oauth/authorize',
    token_url: 'https://api.linear.app/oauth/token',
    scopes: { read: ['read'], write: ['read', 'write'], issues: ['read', 'issues:create'] },
  },
});
