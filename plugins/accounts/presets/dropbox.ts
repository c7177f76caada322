import { preset } from './preset.ts';

export const dropbox = preset({
  name: 'dropbox',
  description: 'Dropbox, files and folders.',
  documentationUrl: 'https://www.dropbox.com/developers/apps',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://www.dropbox.com/oauth2/authorize',
    token_url: 'https://api.dropboxapi.com/oauth2/token',
    client_auth: 'basic',
    // Else there is no refresh token.
    authorization_params: { token_access_type: 'offline' },
    account_path: 'account_id',
    scopes: {
      read: ['account_info.read', 'files.metadata.read', 'files.content.read'],
      write: ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'],
    },
  },
});
