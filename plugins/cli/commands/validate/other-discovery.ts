import type { DiscoverSink, HookPort, Plugin } from '../../../../kernel/index.ts';

type DiscoverPort = HookPort<'discover'>;

/** The plugin without its taps on `discover`: it finds nothing, and does everything else. */
export function withoutDiscovery(plugin: Plugin): Plugin {
  return withPort(plugin, () => ({ tap() {}, tapPromise() {} }));
}

/** The plugin with another sink in its taps on `discover`. */
export function withSink(plugin: Plugin, sinkFor: (sink: DiscoverSink) => DiscoverSink): Plugin {
  return withPort(plugin, (port) => ({
    tap: (options, run) => port.tap(options, (sink, context) => run(sinkFor(sink), context)),
    tapPromise: (options, run) => port.tapPromise(options, (sink, context) => run(sinkFor(sink), context)),
  }));
}

function withPort(plugin: Plugin, portFor: (port: DiscoverPort) => DiscoverPort): Plugin {
  return {
    ...plugin,
    // Not a copy: that would read `kernel`, which is not ready yet.
    apply: (api) => plugin.apply(Object.create(api, { hooks: { value: { ...api.hooks, discover: portFor(api.hooks.discover) } } })),
  };
}
