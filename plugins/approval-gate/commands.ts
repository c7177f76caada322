import type { Command } from '../../kernel/index.ts';
import { toolsPendingCommand } from './commands/pending.ts';

/** Commands for pending changes of tools. */
export const pendingCommands: readonly Command[] = [toolsPendingCommand];
