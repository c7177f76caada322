import type { PluginEntry } from '../../../kernel/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { packFolder } from '../packs.ts';

const packs = ['apiclient', 'data', 'github', 'gmail', 'hubspot', 'mailchimp', 'notion', 'postgres', 'slack', 'twilio'];

/** Everything that is shipped, with the tools of the provider packages read from their folders. What `env` gets later counts too. */
export function shippedPlugins(env: Record<string, string>): readonly PluginEntry[] {
  return [
    standard({ autoDiscover: false, toolPaths: packs.map(packFolder), namedSecrets: ['WEBHOOK_SECRET', 'JWT_SECRET'] }),
    secretsEnv({ env }),
  ];
}
