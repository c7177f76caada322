import { apiVersion, definePlugin, type Plugin, type StateStore } from '../../../kernel/index.ts';

/** Gives a command access to the store of its kernel. */
export class StoreProbe {
  state: StateStore | undefined;

  /** Add it to the plugins of the configuration. */
  readonly plugin: Plugin = definePlugin({
    name: 'store-probe',
    apiVersion,
    apply: ({ state }) => {
      this.state = state;
    },
  })();
}
