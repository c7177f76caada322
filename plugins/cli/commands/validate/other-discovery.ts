import { realpathSync } from 'node:fs';
import type { DiscoverSink, HookPort, Plugin } from '../../../../kernel/index.ts';

type DiscoverPort = HookPort<'discover'>;

/**
 * The plugin, but what it finds in these files (real paths) is added by another one, which discovers beside it: so what it adds waits until these
 * files are known.
 */
export function withoutFiles(plugin: Plugin, files: Promise<ReadonlySet<string>>): Plugin {
  return withPort(plugin, (port) => {
    const tapPromise: DiscoverPort['tapPromise'] = (options, run) =>
      port.tapPromise(options, async (sink, context) => {
        const additions: Addition[] = [];
        await run(waiting(sink, additions), context);
        const elsewhere = await files;
        for (const { file, add } of additions) if (file === undefined || !elsewhere.has(realOf(file))) add();
      });
    return { tapPromise, tap: (options, run) => tapPromise(options, async (sink, context) => run(sink, context)) };
  });
}

/** One addition to a sink that waits, with the file that it comes from. */
interface Addition {
  readonly file: string | undefined;
  add(): void;
}

function waiting(sink: DiscoverSink, additions: Addition[]): DiscoverSink {
  const wait = (origin: { readonly file?: string } | undefined, add: () => void): void => void additions.push({ file: origin?.file, add });
  return {
    ...sink,
    addTool: (definition, origin, ...rest) => wait(origin, () => sink.addTool(definition, origin, ...rest)),
    addProvider: (definition, origin) => wait(origin, () => sink.addProvider(definition, origin)),
    addKept: (kept, origin) => wait(origin, () => sink.addKept(kept, origin)),
    addSkill: (frontMatter, text, origin) => wait(origin, () => sink.addSkill(frontMatter, text, origin)),
  };
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
