import Type from 'typebox';
import type { PluginFlag } from '../../kernel/index.ts';

/** The option `mode`, apart from the others because every start reads it. */
export const ModeSchema = Type.Enum(['flag', 'elicit', 'strict'], { default: 'flag' });

export const gateFlags: Readonly<Record<string, PluginFlag>> = {
  mode: {
    flag: '--approval <mode>',
    description:
      'who approves tools that require approval: flag, the client claims it; elicit, the server asks the person; strict, as elicit or by a signed token',
  },
};
