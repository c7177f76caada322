import { preset } from './preset.ts';

export const discord = preset({
  name: 'discord',
  description: 'Discord, as a person: who it is, and in which servers. Bots have tokens of their own.',
  documentationUrl: 'https://discord.com/developers/applications',
  source: 'arctic 3.7.0 and grant 5.4.24 (npm, MIT)',
  oauth2: {
    auth_url: 'https://discord.com/oauth2/authorize',
    token_url: 'https://discord.com/api/oauth2/token',
    revoke_url: 'https://discord.com/api/oauth2/token/revoke',
    client_auth: 'basic',
    scopes: { identity: ['identify', 'email'], servers: ['identify', 'guilds'] },
  },
});
