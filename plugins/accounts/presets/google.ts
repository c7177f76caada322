import { preset } from './preset.ts';

export const google = preset({
  name: 'google',
  description: 'Google Workspace: Calendar, Drive, Docs, Sheets and other Google APIs.',
  documentationUrl: 'https://console.cloud.google.com/apis/credentials',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_url: 'https://oauth2.googleapis.com/token',
    revoke_url: 'https://oauth2.googleapis.com/revoke',
    issuer: 'https://accounts.google.com',
    // Without both, Google gives a refresh token only the first time, or never.
    access_type: 'offline',
    authorization_params: { prompt: 'consent' },
    account_path: 'id_token.email',
    scopes: {
      identity: ['openid', 'email'],
      calendar: ['openid', 'email', 'https://www.googleapis.com/auth/calendar'],
      drive_read: ['openid', 'email', 'https://www.googleapis.com/auth/drive.readonly'],
      docs: ['openid', 'email', 'https://www.googleapis.com/auth/documents'],
      sheets: ['openid', 'email', 'https://www.googleapis.com/auth/spreadsheets'],
    },
  },
});
