import { apiVersion, type CallEnd, definePlugin, type Plugin } from '../../../../kernel/index.ts';

export interface ServerListeners {
  /** Gets every call when it has ended. */
  readonly onEnd: (end: CallEnd) => void;
  /** Runs when the transports have started. */
  readonly onServe: () => void;
}

/** After the transports have started. */
const last = Number.MAX_SAFE_INTEGER;

/** A plugin that tells the command what happens in the kernel that it serves. */
export function serverEvents({ onEnd, onServe }: ServerListeners): Plugin {
  return definePlugin({
    name: 'dev-server',
    apiVersion,
    apply({ hooks }) {
      hooks.settled.tap('dev-server', (end) => onEnd(end));
      hooks.serve.tap({ name: 'dev-server', stage: last }, () => onServe());
    },
  })();
}
