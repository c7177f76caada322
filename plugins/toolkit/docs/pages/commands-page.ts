import { Command as Commander } from 'commander';
import type { Command, CommandFlag } from '../../../../kernel/index.ts';
import { builtInCommands } from '../../program/built-in-commands.ts';
import { addGlobalFlags } from '../../program/global-flags.ts';
import { listedCommands } from '../../program/listed-commands.ts';
import { code, codeBlock, page, prose, table } from '../markdown.ts';

/** Returns the page of all commands of the program. */
export function commandsPage(): string {
  const commands = listedCommands(builtInCommands());
  const everywhere = addGlobalFlags(new Commander()).options.map(({ flags, description }) => ({ flag: flags, description }));
  return page(
    '# Commands',
    'Exit codes: 0 success, 1 failure, 2 usage error. Results go to standard output, everything else to standard error. Plugins may add commands.',
    '## Flags of every command',
    flagTable(everywhere),
    ...commands.map(commandSection),
  );
}

function commandSection(command: Command): string {
  const { name, description, arguments: given = [], flags = [], examples = [] } = command;
  const usage = ['toolkit', name, ...given.map((argument) => argument.name), ...(flags.length === 0 ? [] : ['[flags]'])].join(' ');
  const rows = given.map((argument) => [code(argument.name), prose(argument.description)]);
  const lines = examples.map(({ line, does }) => `# ${does}\n${line}`);
  return page(
    `## ${code(`toolkit ${name}`)}`,
    prose(description),
    codeBlock('text', usage),
    rows.length === 0 ? '' : table(['argument', 'meaning'], rows),
    flags.length === 0 ? '' : flagTable(flags),
    command.takesOtherFlags === true ? 'Other flags are passed on.' : '',
    lines.length === 0 ? '' : codeBlock('sh', lines.join('\n')),
  );
}

function flagTable(flags: readonly Pick<CommandFlag, 'flag' | 'description' | 'default' | 'repeats'>[]): string {
  const rows = flags.map(({ flag, description, default: byDefault, repeats = false }) => {
    const [written, inWords] = / \(default: ([^)]*)\)/.exec(description) ?? [];
    const meaning = `${written === undefined ? description : description.replace(written, '')}${repeats ? '; may be given several times' : ''}`;
    return [code(flag), prose(byDefault ?? inWords ?? ''), prose(meaning)];
  });
  return table(['flag', 'default', 'meaning'], rows);
}
