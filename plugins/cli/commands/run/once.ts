import { type AdaptableOptions, apiVersion, definePlugin, ToolkitError } from '../../../../kernel/index.ts';

/** Adds the plugin for `--once`, which refuses to start when later runs could not find the result of this one. */
export function withOnce(options: AdaptableOptions): AdaptableOptions {
  return { ...options, plugins: [...options.plugins, runOnce()] };
}

const runOnce = definePlugin({
  name: 'run-once',
  apiVersion,
  apply({ extend, state }) {
    extend.ready(() => {
      if (state.isShared) return;
      const message =
        '"--once" needs a store, in which a later run finds what this one has done. Add toolkit/plugins/store-libsql or toolkit/plugins/store-postgres to the configuration.';
      throw new ToolkitError('INVALID_PARAMETERS', message);
    });
  },
});

const notes: Readonly<Record<string, string>> = {
  before: 'Not called again: this is the result of the earlier call with this name.',
  verified: 'Not called again: the earlier call with this name had its effect. This is what was found of it.',
};

/** Returns a note about the origin of the result; undefined when this run has called the tool. */
export function onceNote({ once }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof once === 'string' ? notes[once] : undefined;
}
