import type { HookContext, Kernel, Logger, Plugin, SecretSink } from '../../../../kernel/index.ts';
import { type LogRecord, memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

export interface Asked {
  /** Provided values by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Milliseconds, by name. */
  readonly ttlMs: Readonly<Record<string, number | undefined>>;
}

export interface Asker {
  readonly kernel: Kernel;
  /** Log records above debug. */
  readonly records: readonly LogRecord[];
  /** Asks the plugin for these names, as the kernel does when they are missing. */
  ask(names?: readonly string[], how?: { readonly isFresh?: boolean; readonly signal?: AbortSignal }): Promise<Asked>;
  /** Messages of this level. */
  logged(level: keyof Logger): string[];
}

/** A plugin that resolves secrets in a real kernel, asked without the memory of the kernel in front of it. */
export async function askerOf(plugin: Plugin): Promise<Asker> {
  const logger = memoryLogger();
  let tap: ((sink: SecretSink, context: HookContext) => unknown) | undefined;
  const spied: Plugin = {
    ...plugin,
    apply: (api) => {
      const { resolveSecrets } = api.hooks;
      const tapPromise: typeof resolveSecrets.tapPromise = (name, run) => {
        tap = run;
        resolveSecrets.tapPromise(name, run);
      };
      // Not a copy: that would read `kernel`, which is not ready yet.
      return plugin.apply(Object.create(api, { hooks: { value: { ...api.hooks, resolveSecrets: { ...resolveSecrets, tapPromise } } } }));
    },
  };
  const kernel = await bareKernel({ plugins: [spied], logger });
  return {
    kernel,
    get records() {
      return logger.records.filter(({ level }) => level !== 'debug');
    },
    async ask(names = ['SHOP_TOKEN'], { isFresh = false, signal = new AbortController().signal } = {}) {
      const values = new Map<string, string>();
      const ttlMs = new Map<string, number | undefined>();
      const sink: SecretSink = {
        get missing() {
          return names.filter((name) => !values.has(name));
        },
        isFresh,
        provide(name, value, life) {
          values.set(name, value);
          ttlMs.set(name, typeof life === 'object' ? life.staleAfterMs : life);
        },
      };
      await tap?.(sink, { signal, logger: kernel.logger, pauseClock: () => () => {} });
      return { values: Object.fromEntries(values), ttlMs: Object.fromEntries(ttlMs) };
    },
    logged: (level) => logger.records.filter((record) => record.level === level).map(({ message }) => message),
  };
}
