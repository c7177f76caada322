import { apiVersion, definePlugin, type Plugin, type StateStore } from '../../../kernel/index.ts';

/** Gives a command access to the store of its kernel. */
export class StoreProbe {
  state: StateStore | undefined;
  /** Add it to the plugins of the configuration. */
  readonly plugin: Plugin;

  /** `name`: plugin whose keys it gets, which must not be among the other plugins. @default keys of its own */
  constructor(name = 'store-probe') {
    this.plugin = definePlugin({
      name,
      apiVersion,
      apply: ({ state }) => {
        this.state = state;
      },
    })();
  }
}
