import { apiVersion, type CallEnd, definePlugin, type Plugin } from '../../../../kernel/index.ts';

export interface ServerListeners {
  /** Called with every call that has ended. */
  readonly onEnd: (end: CallEnd) => void;
  /** Called once the transports have started. */
  readonly onServe: () => void;
}

/** Stage after that of every transport. */
const lastStage = Number.MAX_SAFE_INTEGER;

/** Creates the plugin that reports ended calls and the start of the server to the command. */
export function serverEvents({ onEnd, onServe }: ServerListeners): Plugin {
  return definePlugin({
    name: 'dev-server',
    apiVersion,
    apply({ hooks }) {
      hooks.settled.tap('dev-server', (end) => onEnd(end));
      hooks.serve.tap({ name: 'dev-server', stage: lastStage }, () => onServe());
    },
  })();
}
