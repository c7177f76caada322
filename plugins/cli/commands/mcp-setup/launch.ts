import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ExposureChoice } from '../../../shared/exposure/exposure.ts';
import { configFileNames } from '../../../shared/project/config-file-names.ts';
import { shellWord } from '../../../shared/text/shell-word.ts';

/** A command line without a shell. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchOptions {
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Folder of the configuration, packages and relative paths. Absolute. */
  readonly project: string;
  /** The configuration file in effect, where there is one. */
  readonly configFile?: string;
  /** Names for `--tools`; absent for all. */
  readonly tools?: readonly string[];
  /** A file of secrets that the server reads beside its environment. Absolute; absent where the configuration says where secrets are. */
  readonly envFile?: string;
  /** What a client is listed; absent for what the configuration says. */
  readonly expose?: ExposureChoice;
  /** The server asks the person about tools that require approval: the client can show the question. */
  readonly asksPerson?: boolean;
  /** The configuration asks for HTTP, so that stdio must be said. */
  readonly isHttpByDefault?: boolean;
}

/** How a client starts the server. Clients start it in any folder, so `TOOLKIT_CWD` says where the project is. */
export function stdioLaunch(options: LaunchOptions): Launch {
  const [command = '', ...program] = options.program;
  const transport = options.isHttpByDefault === true ? ['--transport', 'stdio'] : [];
  return { command, args: [...program, 'mcp', ...transport, ...flags(options)], env: { TOOLKIT_CWD: options.project } };
}

/** How a person starts the server that clients reach over HTTP. */
export function httpLaunch(options: LaunchOptions): Launch {
  const [command = '', ...program] = options.program;
  return { command, args: [...program, 'mcp', '--transport', 'http', ...flags(options), '--cwd', options.project], env: {} };
}

function flags({ project, configFile, tools, envFile, expose, asksPerson }: LaunchOptions): string[] {
  return [
    ...(configFile === undefined || isFound(configFile, project) ? [] : ['--config', configFile]),
    ...(tools === undefined ? [] : toolsFlag(tools.join(','))),
    ...(expose === undefined ? [] : ['--expose', expose]),
    ...(envFile === undefined ? [] : ['--secrets', 'env,dotenv', '--env-file', envFile]),
    ...(asksPerson === true ? ['--approval', 'elicit'] : []),
  ];
}

/** The name of a tool may begin with a dash: `--config` must not become a flag. */
function toolsFlag(names: string): string[] {
  return names.startsWith('-') ? [`--tools=${names}`] : ['--tools', names];
}

/** True when the search in that folder comes upon this file first. */
function isFound(configFile: string, folder: string): boolean {
  const names: readonly string[] = configFileNames;
  const place = names.indexOf(path.basename(configFile));
  if (place < 0 || path.dirname(configFile) !== folder) return false;
  return !names.slice(0, place).some((name) => existsSync(path.join(folder, name)));
}

/** The command line as one types it. */
export function shellLine({ command, args }: Launch, platform: NodeJS.Platform): string {
  return [command, ...args].map((word) => shellWord(word, platform)).join(' ');
}
