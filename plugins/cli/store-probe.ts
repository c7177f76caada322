import { apiVersion, definePlugin, type Plugin, type StateStore } from '../../kernel/index.ts';

/** Gets at the store of a kernel that a command makes. */
export class StoreProbe {
  state: StateStore | undefined;

  /** Listed beside the plugins of the configuration. */
  readonly plugin: Plugin = definePlugin({
    name: 'store-probe',
    apiVersion,
    apply: ({ state }) => {
      this.state = state;
    },
  })();
}
