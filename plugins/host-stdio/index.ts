import Type, { type Static } from 'typebox';
import { apiVersion, definePlugin, type Plugin } from '../../kernel/index.ts';
import { hostCommand } from './command.ts';
import type { LoadParts } from './host-parts.ts';

const OptionsSchema = Type.Object(
  {
    /** Opens toolkits and servers, which are of other plugins. @default there is no command */
    loadParts: Type.Optional(Type.Unsafe<LoadParts>({})),
  },
  { additionalProperties: false },
);

export type HostStdioOptions = Static<typeof OptionsSchema>;

/** Brings `toolkit host`. It taps nothing: the kernels that it makes are of its own. */
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
