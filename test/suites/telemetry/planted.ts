import type { TracedClient } from './client.ts';

/** Secrets of the operator, which the resolver of the environment knows. */
export const secrets = { SHOP_TOKEN: 'planted-token-of-the-shop', SHOP_KEY: 'planted-key-of-the-shop' } as const;

/** Texts of a client that no span may have, by where it sends them. */
export const texts = {
  argument: 'planted-argument',
  'message of an error': 'planted-message',
  'name of a tool': 'planted-tool',
  'name of a prompt': 'planted-prompt',
  baggage: 'planted-baggage',
  'argument of a durable call': 'planted-order',
  'query of a URI': 'planted-query',
  'user of a URI': 'planted-user',
  'name of a method': 'planted-method',
} as const;

/** Sends the secrets and the texts wherever a request has room for them. */
export async function plant(client: TracedClient): Promise<void> {
  const { SHOP_TOKEN, SHOP_KEY } = secrets;
  const ignore = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
  client.baggage = `key=${texts.baggage}`;
  await client.call('shop_tell_secret', { text: texts.argument });
  await client.call('shop_tell_secret', { text: `${SHOP_TOKEN} ${SHOP_KEY}` });
  await client.call('shop_throw', { text: texts['message of an error'] });
  await client.call('shop_throw', { text: SHOP_TOKEN });
  await client.call('shop_find_later', { id: texts['argument of a durable call'] });
  for (const text of [texts['name of a tool'], SHOP_TOKEN]) await ignore(client.call(text));
  for (const text of [texts['name of a prompt'], SHOP_TOKEN]) await ignore(client.prompt(text));
  await client.read(`shop://orders/${SHOP_TOKEN}`);
  for (const text of [texts['query of a URI'], SHOP_TOKEN]) await ignore(client.read(`shop://nothing?token=${text}`));
  await ignore(client.read(`shop://${texts['user of a URI']}:${SHOP_KEY}@orders/1`));
  await ignore(client.request(texts['name of a method'], {}));
  client.baggage = undefined;
}
