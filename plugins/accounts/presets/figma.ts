import { preset } from './preset.ts';

export const figma = preset({
  name: 'figma',
  description: 'Figma, design files and their comments.',
  documentationUrl: 'https://www.figma.com/developers/apps',
  source: 'arctic 3.7.0 (npm, MIT)',
  oauth2: {
    auth_url: 'https://www.figma.com/oauth',
    token_url: 'https://api.figma.com/v1/oauth/token',
    refresh_url: 'https://api.figma.com/v1/oauth/refresh',
    client_auth: 'basic',
    account_path: 'user_id_string',
    scopes: {
      read: ['current_user:read', 'file_content:read'],
      comments: ['current_user:read', 'file_content:read', 'file_comments:read', 'file_comments:write'],
    },
  },
});
