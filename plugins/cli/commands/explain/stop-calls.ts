import { apiVersion, type CallEnd, definePlugin, type Plugin, ToolkitError } from '../../../../kernel/index.ts';

/** Stage before every other tap, so that no one is asked and nothing runs. */
const firstStage = Number.MIN_SAFE_INTEGER;

/** Creates a plugin that ends every call before approval and execution, and passes the ended call to `onEnd`. */
export function stopCalls(onEnd: (end: CallEnd) => void): Plugin {
  const stop = (): never => {
    throw new ToolkitError('ABORTED', 'The call was explained and not run.');
  };
  return definePlugin({
    name: 'explain',
    apiVersion,
    apply({ hooks }) {
      // An entry of this tap shows that the parameters were accepted.
      hooks.injectAuth.tap({ name: 'explain', stage: firstStage }, () => undefined);
      hooks.approve.tap({ name: 'explain', stage: firstStage }, stop);
      hooks.execute.for('*').tap({ name: 'explain', stage: firstStage }, stop);
      hooks.settled.tap('explain', (end) => onEnd(end));
    },
  })();
}
