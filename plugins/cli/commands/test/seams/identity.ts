import type { Plugin } from '../../../../../kernel/index.ts';
import type { Session } from '../cassette/session.ts';

/**
 * Returns the plugin with its `identify` excluded from the recording: lookups for an approval question belong to the configuration, not to
 * the example. A replay asks no one, so it identifies nothing.
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
            : { identify: (call, context) => session.withoutRecording(() => identify(call, context)) }),
        });
      // Not a copy: copying would read `kernel`, which is not ready yet.
      return plugin.apply(Object.create(api, { extend: { value: { ...api.extend, execution } } }));
    },
  };
}
