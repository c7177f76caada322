import { realpathSync } from 'node:fs';
import type { DiscoverSink, HookPort, Plugin } from '../../../../kernel/index.ts';

type DiscoverPort = HookPort<'discover'>;

/** The plugin, but what it finds in these files (real paths) is somebody else's to add. */
export function withoutFiles(plugin: Plugin, seen: ReadonlySet<string>): Plugin {
  const isElsewhere = (origin: { readonly file?: string } | undefined): boolean =>
    origin?.file === undefined || !seen.has(realOf(origin.file));
  return withSink(plugin, (sink) => ({
    ...sink,
    addTool: (definition, origin, ...rest) => isElsewhere(origin) && sink.addTool(definition, origin, ...rest),
    addProvider: (definition, origin) => isElsewhere(origin) && sink.addProvider(definition, origin),
    addKept: (kept, origin) => isElsewhere(origin) && sink.addKept(kept, origin),
    addSkill: (frontMatter, text, origin) => isElsewhere(origin) && sink.addSkill(frontMatter, text, origin),
  }));
}

function realOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
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
