import Type from 'typebox';
import { type Method, method } from './method.ts';

export const serverMethods: Readonly<Record<string, Method>> = {
  'server/start': method(
    { options: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
    async ({ options = {} }, { parts, client, servers, options: ofHost, standardOutput }, { signal }) => {
      const { id, server } = await servers.start(parts.startServer({ ...ofHost, ...options }, client, standardOutput), signal);
      return { id, url: server.url, token: server.token };
    },
    // The client asks for the token, so it must not be masked.
    { isMasked: true },
  ),
  'server/stop': method({ id: Type.String() }, async ({ id }, { servers }) => {
    await servers.stop(id);
    return {};
  }),
};
