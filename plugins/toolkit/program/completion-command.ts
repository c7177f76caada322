import { apiVersion, type Command, definePlugin } from '../../../kernel/index.ts';
import { parseOneOf } from '../../shared/flags/values.ts';
import { completionScript, shells } from './completion-scripts.ts';

const shell = parseOneOf(shells);

const completionCommand: Command = {
  name: 'completion',
  description: 'Print the script with which a shell completes commands, flags, tools and providers.',
  arguments: [{ name: '<shell>', description: shells.join(', '), parse: shell, complete: async () => shells }],
  examples: [
    { line: 'source <(toolkit completion bash)', does: 'in bash, in ~/.bashrc to keep it' },
    { line: 'source <(toolkit completion zsh)', does: 'in zsh, in ~/.zshrc after compinit to keep it' },
    { line: 'toolkit completion fish > ~/.config/fish/completions/toolkit.fish', does: 'in fish, once' },
  ],
  async run({ arguments: [name = ''], program, write }) {
    write(completionScript(shell(name), program));
  },
};

/** Adds `toolkit completion`. */
export const completion = definePlugin({ name: 'completion', apiVersion, commands: [completionCommand], apply() {} });
