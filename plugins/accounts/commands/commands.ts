import type { Command } from '../../../kernel/index.ts';

/** `toolkit auth …`: the commands for accounts. */
export const accountCommands: readonly Command[] = [];
