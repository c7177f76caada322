import Type, { type Static } from 'typebox';
import { apiVersion, definePlugin, type Plugin } from '../../kernel/index.ts';
import { hostCommand } from './command.ts';
import type { LoadParts } from './host-parts.ts';

const OptionsSchema = Type.Object(
  {
    /** Loads the functions that open toolkits and servers, which belong to other plugins. @default no `host` command */
    loadParts: Type.Optional(Type.Unsafe<LoadParts>({})),
  },
  { additionalProperties: false },
);

export type HostStdioOptions = Static<typeof OptionsSchema>;

/** Adds the command `toolkit host`. Taps no hook: the command creates kernels of its own. */
export const hostStdio = (options: HostStdioOptions = {}): Plugin => ({
  ...definePlugin({
    name: 'host-stdio',
    apiVersion,
    optionsSchema: OptionsSchema,
    commands: options.loadParts === undefined ? [] : [hostCommand(options.loadParts)],
    apply() {},
  })(options),
  withOptions: (more) => hostStdio({ ...options, ...more }),
});
