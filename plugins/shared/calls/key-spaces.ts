/** Plugin under whose name every engine stores its calls: what one engine stored is there for the next one. */
export const callsPlugin = 'engine-local';

/** Plugins under whose names calls were stored by earlier versions. An engine takes them on. */
export const earlierCallsPlugins: readonly string[] = ['engine-dbos'];
