import Type from 'typebox';
import { apiVersion, type CallEnd, definePlugin } from '../../kernel/index.ts';
import { devCommand } from './command.ts';

/** After the transports have started. */
const last = Number.MAX_SAFE_INTEGER;

/** Adds `toolkit dev`. */
export const devServer = definePlugin({
  name: 'dev-server',
  apiVersion,
  commands: [devCommand],
  optionsSchema: Type.Object(
    {
      /** Set by the command: gets every call when it has ended. */
      onEnd: Type.Optional(Type.Unsafe<(end: CallEnd) => void>({})),
      /** Set by the command: runs when the transports have started. */
      onServe: Type.Optional(Type.Unsafe<() => void>({})),
    },
    { additionalProperties: false },
  ),
  apply({ hooks }, { onEnd, onServe }) {
    if (onEnd !== undefined) hooks.settled.tap('dev-server', (end) => onEnd(end));
    if (onServe !== undefined) hooks.serve.tap({ name: 'dev-server', stage: last }, () => onServe());
  },
});
