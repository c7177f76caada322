import type { Kernel, Tool } from '../../../../../kernel/index.ts';
import { optionsOf } from '../../../options-of.ts';
import { count, type Finding } from './finding.ts';
import { readProgramVersion, type VersionCommand, type VersionOptions } from './program-version.ts';

interface Program extends VersionCommand {
  readonly check: string;
  /** The users of the program, such as `3 tools in Python`; undefined when nothing needs it. */
  readonly neededBy: string | undefined;
  readonly install: string;
}

/** Reports the programs that the project's tools and plugins start, including those that nothing needs. */
export async function checkPrograms(kernel: Kernel | undefined, limits: VersionOptions): Promise<Finding[]> {
  return Promise.all(programsOf(kernel).map((program) => checkProgram(program, limits)));
}

function programsOf(kernel: Kernel | undefined): Program[] {
  const tools = [...(kernel?.registry.tools.values() ?? [])];
  const option = (plugin: string, name: string): unknown => optionsOf(kernel, plugin)[name];
  const named = (plugin: string, name: string, byDefault: string): string => {
    const value = option(plugin, name);
    return typeof value === 'string' ? value : byDefault;
  };
  const python: Program = {
    check: 'Python',
    program: named('executor-function', 'python', 'python3'),
    args: ['--version'],
    pattern: /^Python (3\.\S+)/,
    neededBy: neededBy(tools, 'in Python', ({ execution }) => /\.py(#\w+)?$/.test(String(execution['code'] ?? ''))),
    install: 'Install Python 3, or name it in the option "python" of the plugin executor-function.',
  };
  const openssl: Program = {
    check: 'OpenSSL',
    program: 'openssl',
    args: ['version'],
    pattern: /^(?:Open|Libre)SSL (\S+)/,
    neededBy: option('mcp', 'selfSigned') === true ? 'the plugin mcp, which is to sign its own certificate,' : undefined,
    install: 'Install openssl; --self-signed makes its certificate with it.',
  };
  const git: Program = {
    check: 'git',
    program: 'git',
    args: ['--version'],
    pattern: /^git version (\S+)/,
    neededBy: neededBy(tools, 'named git_*', ({ name }) => name.startsWith('git_')),
    install: 'Install git.',
  };
  const runner: Program = {
    check: 'Collections',
    program: named('apiclient', 'command', 'bru'),
    args: ['--version'],
    pattern: /(\d+\.\d+\.\d+\S*)/,
    neededBy: neededBy(tools, 'for API collections', ({ execution }) => execution.type === 'apiclient'),
    install: 'Install it with "npm install -g @usebruno/cli", or name it in the option "command" of the plugin apiclient.',
  };
  return [python, openssl, git, ...(runner.neededBy === undefined ? [] : [runner])];
}

async function checkProgram({ check, neededBy: user, install, ...question }: Program, limits: VersionOptions): Promise<Finding> {
  const found = await readProgramVersion(question, limits);
  const { program } = question;
  if (found.type === 'found') return { check, state: 'ok', message: `${program} ${found.version}` };
  const what = found.type === 'missing' ? `${program} is not on the PATH` : `${program} ${found.message}`;
  if (user === undefined) return { check, state: 'ok', message: `${what}; nothing here needs it` };
  return {
    check,
    state: 'warning',
    message: `${what}; ${user} need${user.startsWith('1 ') || user.startsWith('the ') ? 's' : ''} it`,
    hint: install,
  };
}

function neededBy(tools: readonly Tool[], kind: string, needs: (tool: Tool) => boolean): string | undefined {
  const number = tools.filter(needs).length;
  return number === 0 ? undefined : `${count(number, 'tool')} ${kind}`;
}
