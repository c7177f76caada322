import type { Command } from '../../kernel/index.ts';
import { callsApproveCommand, callsRefuseCommand } from './commands/calls/answer.ts';
import { callsCancelCommand } from './commands/calls/cancel.ts';
import { callsListCommand } from './commands/calls/list.ts';
import { callsRetryCommand } from './commands/calls/retry.ts';
import { callsShowCommand } from './commands/calls/show.ts';
import { workerCommand } from './commands/worker/command.ts';

/** Commands for durable calls. They work with every engine, because they use the kernel's calls alone. */
export const callCommands: readonly Command[] = [
  workerCommand,
  callsListCommand,
  callsShowCommand,
  callsCancelCommand,
  callsRetryCommand,
  callsApproveCommand,
  callsRefuseCommand,
];
