import { hasSecretName, isSecretVariable, looksSecret } from './looks-secret.ts';
import { valueParts } from './references.ts';

/** The arguments of a program without secrets, and the variables that take their places. */
export interface ProgramArguments {
  readonly args: readonly string[];
  /** Variables that stood among the arguments, as in `docker run -e TOKEN=…`. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Moves secrets of `docker run -e NAME=value` to variables. Returns the reason where another argument looks like a secret, or must be filled in: other programs
 * see the arguments of a process.
 */
export function programArguments(args: readonly string[]): ProgramArguments | string {
  const plain: string[] = [];
  const env: Record<string, string> = {};
  for (const [index, argument] of args.entries()) {
    const before = args[index - 1] ?? '';
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(argument) ?? [];
    const isVariable = (before === '-e' || before === '--env') && name !== undefined && value !== undefined;
    if (isVariable && (isSecretVariable(name, value) || hasReference(value))) {
      env[name] = value;
      plain.push(name);
      continue;
    }
    const where = `argument ${index + 1}`;
    if (hasReference(argument)) return `has a value that the client fills in as ${where}: pass it in "env"`;
    const flag = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1];
    const [, own, ownValue = ''] = /^--?([A-Za-z][\w-]*)=(.+)$/s.exec(argument) ?? [];
    const isOfFlag = flag !== undefined && !argument.startsWith('-') && isSecretVariable(snake(flag), argument);
    const isOwn = own !== undefined && hasSecretName(snake(own)) && isSecretVariable(snake(own), ownValue);
    const isNamed = name !== undefined && value !== undefined && isSecretVariable(name, value);
    if (isOfFlag || isOwn || isNamed || looksSecret(argument)) return `has what looks like a secret as ${where}: pass it in "env"`;
    plain.push(argument);
  }
  return { args: plain, env };
}

function hasReference(text: string): boolean {
  return valueParts(text, false).some((part) => !('text' in part));
}

function snake(flag: string): string {
  return flag.replaceAll('-', '_');
}
