import type { KeyObject } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { excerpt, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { isSecure } from '../../shared/http/loopback.ts';
import { keyOf } from './webhook-key.ts';

/** Checked below: an issue of the schema would show the secret. */
const secret = Type.String();

const minSecretLength = 24;
const maxSecretLength = 512;

/** Programs that are told about waiting calls, and may decide them. */
export const WebhookOptionsSchema = Type.Array(
  Type.Object(
    {
      /** Name of the webhook, as which it decides. */
      name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' }),
      /** URL that gets a POST for each waiting call: https, or http on this machine. */
      url: Type.String({ minLength: 1, maxLength: 2048 }),
      /** Secret of the signatures in both directions, at least 24 characters. After `whsec_` it is base64 of at least 24 bytes. */
      secret,
      /** The secret before, while it is being replaced: messages are signed with both, and answers may use either. @default none */
      previousSecret: Type.Optional(secret),
    },
    { additionalProperties: false },
  ),
);

export type WebhookOptions = Static<typeof WebhookOptionsSchema>[number];

/** A checked webhook. */
export interface Webhook {
  readonly name: string;
  readonly url: URL;
  /** Keys of the signatures, the current one first. */
  readonly keys: readonly KeyObject[];
}

/**
 * Returns the checked webhooks. Throws PLUGIN_INVALID for a name, or a secret, that two of them have, for a URL that others can read on the way,
 * and for a secret that is not one.
 */
export function checkWebhooks(options: readonly WebhookOptions[]): readonly Webhook[] {
  const owners = new Map<string, string>();
  return options.map((webhook, index) => {
    const { name, url, secret: current, previousSecret } = webhook;
    const before = options.slice(0, index).some((other) => other.name === name);
    if (before) throw invalid(index, 'name', `"${name}" is the name of two webhooks: expected another one`);
    const secrets = [...new Set([current, previousSecret].filter((text) => text !== undefined))];
    for (const [at, { length }] of secrets.entries()) refuseLength(index, at === 0 ? 'secret' : 'previousSecret', length);
    const keys = secrets.map((text) => keyOf(text));
    for (const [at, key] of keys.entries()) {
      const member = at === 0 ? 'secret' : 'previousSecret';
      if (key === undefined) throw invalid(index, member, 'of a webhook is not base64 of at least 24 bytes after "whsec_"');
      // The secret says which webhook has decided.
      const bytes = key.export().toString('hex');
      const owner = owners.get(bytes) ?? name;
      if (owner !== name) throw invalid(index, member, `of the webhook "${name}" is also that of "${owner}": expected one of its own`);
      owners.set(bytes, name);
    }
    return { name, url: urlOf(url, index), keys: keys.filter((key) => key !== undefined) };
  });
}

/** Returns the deciders that webhooks are, for the fact `approvalWays`. Undefined without any. */
export function webhookWays(
  webhooks: readonly Pick<WebhookOptions, 'name'>[],
): { readonly way: 'webhook'; readonly names: readonly string[] } | undefined {
  return webhooks.length === 0 ? undefined : { way: 'webhook', names: webhooks.map(({ name }) => name) };
}

function refuseLength(index: number, member: string, length: number): void {
  if (length >= minSecretLength && length <= maxSecretLength) return;
  const received = length === 0 ? 'an empty text. Set the variable that it comes from' : `${length}`;
  throw invalid(index, member, `of a webhook expected ${minSecretLength} to ${maxSecretLength} characters, received ${received}`);
}

function urlOf(text: string, index: number): URL {
  const url = parseUrl(text);
  if (url === undefined) throw invalid(index, 'url', 'of a webhook is not a URL: expected one such as "https://chat.example/approvals"');
  if (!isSecure(url))
    throw invalid(index, 'url', `of a webhook begins with "${excerpt(url.origin)}": expected https, or http on this machine`);
  if (url.username !== '' || url.password !== '')
    throw invalid(index, 'url', 'of a webhook has a user name or a password: the signature proves the sender, so leave them out');
  return url;
}

function invalid(index: number, member: string, what: string): ToolkitError {
  const path = `webhooks[${index}].${member}`;
  const message = `The options of plugin "approvals" are wrong: ${path} ${what}.`;
  return new ToolkitError('PLUGIN_INVALID', message, { plugin: 'approvals', issues: [{ path, message: what }] });
}
