import type { Plugin } from '../../../../../kernel/index.ts';
import type { Session } from '../cassette/session.ts';

/**
 * The plugin, whose calls are identified past the session: whether somebody is asked about a call, and what is looked up for that, is the
 * configuration's, not the example's. In a replay nobody is asked, so nothing is identified.
 */
export function withoutIdentity(plugin: Plugin, session: Session): Plugin {
  return {
    ...plugin,
    apply: (api) => {
      const execution: typeof api.extend.execution = (type, { identify, ...description }) =>
        api.extend.execution(type, {
          ...description,
          ...(identify === undefined || !session.isLive
            ? {}
            : { identify: (call, context) => session.aside(() => identify(call, context)) }),
        });
      // Not a copy: that would read `kernel`, which is not ready yet.
      return plugin.apply(Object.create(api, { extend: { value: { ...api.extend, execution } } }));
    },
  };
}
