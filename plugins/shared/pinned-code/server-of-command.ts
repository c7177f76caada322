import { type AdaptableOptions, apiVersion, definePlugin } from '../../../kernel/index.ts';
import { commandServer } from './active-record.ts';

type Adapt = (options: AdaptableOptions) => AdaptableOptions;

/** Returns `adapt` with the fact that a command of the program starts the server, so that plugins may record it. */
export function serverOfCommand({ toolPaths }: Readonly<Record<string, unknown>>, adapt: Adapt = (options) => options): Adapt {
  const server = definePlugin({
    name: 'server-of-command',
    apiVersion,
    apply: ({ extend }) => extend.fact(commandServer, toolPaths === undefined ? {} : { toolPaths: toolPaths as readonly string[] }),
  });
  return (options) => {
    const adapted = adapt(options);
    return { ...adapted, plugins: [...adapted.plugins, server()] };
  };
}
