import Type from 'typebox';
import { apiVersion, type CallEnd, definePlugin, ToolkitError } from '../../kernel/index.ts';
import { explainCommand } from './command.ts';

/** Before every other tap, so that nothing is asked and nothing runs. */
const first = Number.MIN_SAFE_INTEGER;

/** Adds `toolkit explain`. */
export const explain = definePlugin({
  name: 'explain',
  apiVersion,
  commands: [explainCommand],
  optionsSchema: Type.Object(
    {
      /** Set by the command. Every call then ends before anybody is asked for approval and before it runs, and is handed over here. */
      onEnd: Type.Optional(Type.Unsafe<(end: CallEnd) => void>({})),
    },
    { additionalProperties: false },
  ),
  apply({ hooks }, { onEnd }) {
    if (onEnd === undefined) return;
    const stop = (): never => {
      throw new ToolkitError('ABORTED', 'The call was explained and not run.');
    };
    // Says by its presence that the parameters were accepted.
    hooks.injectAuth.tap({ name: 'explain', stage: first }, () => undefined);
    hooks.approve.tap({ name: 'explain', stage: first }, stop);
    hooks.execute.for('*').tap({ name: 'explain', stage: first }, stop);
    hooks.settled.tap('explain', (end) => onEnd(end));
  },
});
