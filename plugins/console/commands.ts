import type { Command } from '../../kernel/index.ts';

/** `toolkit console …`: the commands of the console. */
export const consoleCommands: readonly Command[] = [
  {
    name: 'console login',
    description:
      'Print a one-time code for the login of the console. It counts once, within ten minutes, at every server of this configuration and its store.',
    examples: [{ line: 'toolkit console login | wl-copy', does: 'a code, in the clipboard' }],
    async run(invocation) {
      await (await import('./commands/login.ts')).login(invocation);
    },
  },
];
