import { preset } from './preset.ts';

export const zoom = preset({
  name: 'zoom',
  description: 'Zoom, meetings and recordings.',
  documentationUrl: 'https://developers.zoom.us/docs/integrations/',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://zoom.us/oauth/authorize',
    token_url: 'https://zoom.us/oauth/token',
    revoke_url: 'https://zoom.us/oauth/revoke',
    client_auth: 'basic',
    // An app at Zoom has its scopes itself.
    scopes: {},
  },
});
