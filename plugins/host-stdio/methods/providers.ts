import Type from 'typebox';
import { type Method, method } from './method.ts';

const exact = { additionalProperties: false };
const Name = Type.String({ minLength: 1 });
const Texts = Type.Optional(Type.Array(Type.String()));

export const providerMethods: Readonly<Record<string, Method>> = {
  'providers/list': method(Type.Object({}, exact), (_params, { toolkit }) => ({ providers: toolkit.getAllProviders() })),
  'providers/get': method(Type.Object({ name: Name }, exact), ({ name }, { toolkit }) => ({ provider: toolkit.getProvider(name) ?? null })),
  'providers/load': method(Type.Object({ name: Name }, exact), async ({ name }, { toolkit }) => ({
    provider: await toolkit.loadProvider(name),
  })),
  'providers/add': method(
    Type.Object({ name: Name, definition: Type.Record(Type.String(), Type.Unknown()) }, exact),
    async ({ name, definition }, { toolkit }) => {
      await toolkit.addProvider(name, definition);
      return {};
    },
  ),
  'providers/authorizationUrl': method(
    Type.Object(
      { name: Name, groups: Texts, scopes: Texts, state: Type.Optional(Type.String()), redirectUri: Type.Optional(Type.String()) },
      exact,
    ),
    ({ name, ...options }, { toolkit }) => toolkit.authorizationUrl(name, options),
    // The client id may come from the secret chain, and belongs into the URL.
    { isMasked: true },
  ),
};
