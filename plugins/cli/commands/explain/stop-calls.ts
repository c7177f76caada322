import { apiVersion, type CallEnd, definePlugin, type Plugin, ToolkitError } from '../../../../kernel/index.ts';

/** Before every other tap, so that nothing is asked and nothing runs. */
const first = Number.MIN_SAFE_INTEGER;

/** A plugin with which every call ends before anybody is asked for approval and before it runs, and is handed over. */
export function stopCalls(onEnd: (end: CallEnd) => void): Plugin {
  const stop = (): never => {
    throw new ToolkitError('ABORTED', 'The call was explained and not run.');
  };
  return definePlugin({
    name: 'explain',
    apiVersion,
    apply({ hooks }) {
      // Says by its presence that the parameters were accepted.
      hooks.injectAuth.tap({ name: 'explain', stage: first }, () => undefined);
      hooks.approve.tap({ name: 'explain', stage: first }, stop);
      hooks.execute.for('*').tap({ name: 'explain', stage: first }, stop);
      hooks.settled.tap('explain', (end) => onEnd(end));
    },
  })();
}
