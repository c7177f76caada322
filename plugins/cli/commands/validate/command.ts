import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, ToolkitError } from '../../../../kernel/index.ts';
import { parseOneOf } from '../../../shared/flags/values.ts';
import { formatNames } from './formats/format-names.ts';

/** `toolkit validate`: reports every problem of the definitions with its position. Runs no tool and looks up no secret. */
export const validateCommand: Command = {
  name: 'validate',
  description:
    'Check tool, provider and skill definitions and print every problem with file, line and column. Examples, defaults and schemas are checked as well, which loading does not do; what is missing for a model to choose a tool well is a warning, except in installed packages that are not named here. Ends with 1 when there is an error.',
  arguments: [
    {
      name: '[paths...]',
      description: 'files and folders to check, and nothing else (default: all that the configuration and auto-discovery load)',
      parse: existingPath,
    },
  ],
  flags: [
    {
      flag: '--format <format>',
      description: `${formatNames.join(', ')} (default: text)`,
      parse: parseOneOf(formatNames),
      complete: async () => formatNames,
    },
    {
      flag: '--max-warnings <number>',
      description: 'end with 1 as well when there are more warnings (default: any number)',
      parse: wholeNumber,
    },
  ],
  examples: [
    { line: 'toolkit validate tools', does: 'what lies in that folder, while you write it' },
    { line: 'toolkit validate --max-warnings 0 --format github', does: 'in CI: annotations at the lines, and every warning counts' },
  ],
  async run(invocation) {
    const { validate } = await import('./validate.ts');
    await validate(invocation);
  },
};

function existingPath(target: string): string {
  if (existsSync(target)) return target;
  throw wrong(`expected a file or folder, but there is no ${path.resolve(target)}`);
}

function wholeNumber(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw wrong(`expected a whole number from 0, received "${value}"`);
}

function wrong(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', message);
}
