import Type from 'typebox';
import { apiVersion, definePlugin, isPlainObject, type Plugin, type PluginApi } from '../../../kernel/index.ts';
import { build } from '../../shared/project/build.ts';
import type { HostPeer } from '../peer/host-peer.ts';
import type { ClientFunctions } from './client-functions.ts';

export const clientPluginName = 'host-client';

interface Client {
  readonly peer: Pick<HostPeer, 'ask'>;
  readonly functions: ClientFunctions;
  /** True when the client resolves secrets. @default false */
  readonly resolvesSecrets: boolean;
}

/** Returns the client's plugin: its functions as tools, and its secrets, which are tried after the resolvers of the service. */
export function clientPlugin({ peer, functions, resolvesSecrets }: Client): Plugin {
  return definePlugin({
    name: clientPluginName,
    apiVersion,
    apply({ hooks, extend }) {
      addExecution({ hooks, extend }, functions);
      hooks.discover.tap(clientPluginName, (sink) => {
        for (const definition of functions.definitions) sink.addTool(definition, { trust: 'operator' });
      });
      if (resolvesSecrets)
        hooks.resolveSecrets.tapPromise(clientPluginName, async (sink, { signal }) => {
          const { missing: names, isFresh } = sink;
          if (names.length === 0) return;
          const answer = await peer.ask('callback/resolveSecrets', { names, isFresh }, { signal });
          const secrets = isPlainObject(answer) && isPlainObject(answer['secrets']) ? answer['secrets'] : {};
          for (const name of names) if (typeof secrets[name] === 'string') sink.provide(name, secrets[name]);
        });
    },
  })();
}

function addExecution({ hooks, extend }: Pick<PluginApi, 'hooks' | 'extend'>, functions: ClientFunctions): void {
  extend.execution('client', {
    schema: Type.Object({}, { additionalProperties: false }),
    // A definition file must not name a function of the client: it would run that function under its own policy.
    check: (_execution, { plugin }) =>
      plugin === clientPluginName
        ? []
        : [
            {
              path: 'type',
              pointer: '/type',
              message: 'is "client", which only functions are that the client of this host gives (functions/add)',
            },
          ],
    identify: ({ tool: { name } }) => ({
      code: { shown: `the function "${name}" of the client`, state: String(functions.revisionOf(name)) },
    }),
    // The client's language may have exact integers.
    exactIntegers: () => ({ takes: true, gives: true }),
    fingerprint: build,
  });
  hooks.execute.for('client').tapPromise(clientPluginName, (call, context) => functions.run(call, context));
}
