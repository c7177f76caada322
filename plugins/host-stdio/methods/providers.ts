import Type from 'typebox';
import { type Method, method } from './method.ts';

const Name = Type.String({ minLength: 1 });
const Texts = Type.Optional(Type.Array(Type.String()));

export const providerMethods: Readonly<Record<string, Method>> = {
  'providers/list': method({}, (_params, { toolkit }) => ({ providers: toolkit.getAllProviders() })),
  'providers/get': method({ name: Name }, ({ name }, { toolkit }) => ({ provider: toolkit.getProvider(name) ?? null })),
  'providers/load': method({ name: Name }, async ({ name }, { toolkit }) => ({
    provider: await toolkit.loadProvider(name),
  })),
  'providers/add': method(
    { name: Name, definition: Type.Record(Type.String(), Type.Unknown()) },
    async ({ name, definition }, { toolkit }) => {
      await toolkit.addProvider(name, definition);
      return {};
    },
  ),
  'providers/authorizationUrl': method(
    { name: Name, groups: Texts, scopes: Texts, state: Type.Optional(Type.String()), redirectUri: Type.Optional(Type.String()) },
    ({ name, ...options }, { toolkit }) => toolkit.authorizationUrl(name, options),
    // The client id may be a secret, and is part of the URL.
    { isMasked: true },
  ),
};
