import type { DiscoverSink, HookPort, Plugin } from '../../../../kernel/index.ts';
import type { GivenDefinitions } from './given-definitions.ts';

type DiscoverPort = HookPort<'discover'>;

/**
 * Returns the plugin without the given definitions in its discovery: another plugin adds those. Its additions wait until the given
 * definitions are known, because both plugins discover in parallel.
 */
export function withoutGiven(plugin: Plugin, given: Promise<GivenDefinitions>): Plugin {
  return withPort(plugin, (port) => {
    const tapPromise: DiscoverPort['tapPromise'] = (options, run) =>
      port.tapPromise(options, async (sink, context) => {
        const additions: Addition[] = [];
        await run(delayedSink(sink, additions), context);
        const known = await given;
        for (const { file, add } of additions) if (file === undefined || !known.includes(file)) add();
      });
    return { tapPromise, tap: (options, run) => tapPromise(options, async (sink, context) => run(sink, context)) };
  });
}

/** A postponed addition to a sink, with the file of the definition. */
interface Addition {
  readonly file: string | undefined;
  add(): void;
}

function delayedSink(sink: DiscoverSink, additions: Addition[]): DiscoverSink {
  const delay = (origin: { readonly file?: string } | undefined, add: () => void): void => void additions.push({ file: origin?.file, add });
  return {
    ...sink,
    addTool: (definition, origin, ...rest) => delay(origin, () => sink.addTool(definition, origin, ...rest)),
    addProvider: (definition, origin) => delay(origin, () => sink.addProvider(definition, origin)),
    addCached: (kept, origin) => delay(origin, () => sink.addCached(kept, origin)),
    addSkill: (frontMatter, text, origin) => delay(origin, () => sink.addSkill(frontMatter, text, origin)),
  };
}

/** Returns the plugin with another sink in its taps on `discover`. */
export function withSink(plugin: Plugin, sinkFor: (sink: DiscoverSink) => DiscoverSink): Plugin {
  return withPort(plugin, (port) => ({
    tap: (options, run) => port.tap(options, (sink, context) => run(sinkFor(sink), context)),
    tapPromise: (options, run) => port.tapPromise(options, (sink, context) => run(sinkFor(sink), context)),
  }));
}

function withPort(plugin: Plugin, portFor: (port: DiscoverPort) => DiscoverPort): Plugin {
  return {
    ...plugin,
    // Not a copy: copying would read `kernel`, which is not ready yet.
    apply: (api) => plugin.apply(Object.create(api, { hooks: { value: { ...api.hooks, discover: portFor(api.hooks.discover) } } })),
  };
}
