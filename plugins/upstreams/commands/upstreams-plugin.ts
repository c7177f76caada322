import type { ListedPlugin } from '../../shared/configuration/option-edit.ts';

/** This plugin as configurations list it. */
export const upstreamsPlugin: ListedPlugin = {
  modules: ['toolkit/plugins/upstreams', '@toolkit/core/plugins/upstreams'],
  factory: 'upstreams',
};
