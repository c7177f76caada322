import { type AdaptableOptions, type CommandInvocation, flattenPlugins, type Kernel, type Plugin } from '../../../../../kernel/index.ts';
import { runProgram } from '../../../../shared/process/program.ts';
import type { Session } from '../cassette/session.ts';
import { cassettePlugin } from './cassette-plugin.ts';
import { exchangesOf } from './function.ts';
import { withoutIdentity } from './identity.ts';
import { programRequest } from './program.ts';

const noOpPort = { tap() {}, tapPromise() {} };

/** Creates the configured kernel with its outside world replaced by the session. */
export function testKernel(createKernel: CommandInvocation['createKernel'], session: Session): Promise<Kernel> {
  return createKernel({}, (options) => ({ ...options, plugins: testPlugins(options, session) }));
}

/** Replaces the outside world of these plugins by the session. */
export function testPlugins({ plugins }: Pick<AdaptableOptions, 'plugins'>, session: Session): readonly Plugin[] {
  const { scratch } = session;
  const options: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'confine-paths': { roots: [scratch.folder], readRoots: [] },
    'executor-function': { exchange: exchangesOf(session) },
    'executor-command': {
      runProgram: ((program, args, given) =>
        session.exchange(programRequest(runProgram, scratch, program, args, given))) as typeof runProgram,
    },
  };
  const adapted = flattenPlugins(plugins).map((plugin) => {
    const own = options[plugin.name];
    if (own !== undefined) return plugin.withOptions(own);
    if (plugin.isOffInTests === true) return withoutTaps(plugin, () => true);
    return session.isLive ? plugin : withoutTaps(plugin, (hook) => hook === 'resolveSecrets');
  });
  return [...adapted.map((plugin) => withoutIdentity(plugin, session)), cassettePlugin(session)];
}

/** Returns the plugin without its taps on some hooks. It still extends the definition language. */
function withoutTaps(plugin: Plugin, isLeftOut: (hook: string) => boolean): Plugin {
  return {
    ...plugin,
    apply: (api) => {
      const hooks = Object.fromEntries(
        Object.entries(api.hooks).map(([hook, port]) => [
          hook,
          isLeftOut(hook) ? (hook === 'execute' ? { for: () => noOpPort } : noOpPort) : port,
        ]),
      ) as unknown as typeof api.hooks;
      // Not a copy: copying would read `kernel`, which is not ready yet.
      return plugin.apply(Object.create(api, { hooks: { value: hooks } }));
    },
  };
}
