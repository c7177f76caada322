import { preset } from './preset.ts';

export const microsoft = preset({
  name: 'microsoft',
  description: 'Microsoft Graph: mail, calendars and files of Microsoft 365.',
  documentationUrl: 'https://entra.microsoft.com/',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://login.microsoftonline.com/{MICROSOFT_TENANT}/oauth2/v2.0/authorize',
    device_url: 'https://login.microsoftonline.com/{MICROSOFT_TENANT}/oauth2/v2.0/devicecode',
    token_url: 'https://login.microsoftonline.com/{MICROSOFT_TENANT}/oauth2/v2.0/token',
    account_path: 'id_token.preferred_username',
    // A refresh token is given with offline_access alone.
    scopes: {
      identity: ['openid', 'profile', 'email', 'offline_access'],
      mail_read: ['openid', 'profile', 'offline_access', 'Mail.Read'],
      mail_send: ['openid', 'profile', 'offline_access', 'Mail.Send'],
      calendar: ['openid', 'profile', 'offline_access', 'Calendars.ReadWrite'],
      files: ['openid', 'profile', 'offline_access', 'Files.ReadWrite'],
    },
  },
  values: [
    {
      parameter: 'MICROSOFT_TENANT',
      env_pattern: 'MICROSOFT_TENANT',
      required: false,
      secret: false,
      default: 'common',
      description: 'Tenant: its id or domain, or common, organizations, consumers.',
    },
  ],
});
