import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ExposureChoice } from '../../../shared/exposure/exposure.ts';
import { configFileNames } from '../../../shared/project/config-file-names.ts';
import { shellWord } from '../../../shared/text/shell-word.ts';

/** A command line, run without a shell. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchOptions {
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Folder of the configuration and packages; relative paths start there. Absolute. */
  readonly project: string;
  /** The configuration file in effect, if any. */
  readonly configFile?: string;
  /** Value of `--tools`; absent for all tools. */
  readonly tools?: readonly string[];
  /** File of secrets that the server reads next to its environment. Absolute; absent when the configuration names the resolvers. */
  readonly envFile?: string;
  /** Value of `--expose`; absent when the configuration sets it. */
  readonly expose?: ExposureChoice;
  /** True when the client can show questions, so that the server asks the user to approve calls. @default false */
  readonly elicitsApproval?: boolean;
  /** True when the configuration sets another transport, so that stdio needs a flag. @default false */
  readonly needsStdioFlag?: boolean;
}

/** Returns the command line with which a client starts the server. Clients start it in any folder, so `TOOLKIT_CWD` names the project. */
export function stdioLaunch(options: LaunchOptions): Launch {
  const [command = '', ...program] = options.program;
  const transport = options.needsStdioFlag === true ? ['--transport', 'stdio'] : [];
  return { command, args: [...program, 'mcp', ...transport, ...launchFlags(options)], env: { TOOLKIT_CWD: options.project } };
}

/** Returns the command line with which a user starts the HTTP server. */
export function httpLaunch(options: LaunchOptions): Launch {
  const [command = '', ...program] = options.program;
  return { command, args: [...program, 'mcp', '--transport', 'http', ...launchFlags(options), '--cwd', options.project], env: {} };
}

function launchFlags({ project, configFile, tools, envFile, expose, elicitsApproval }: LaunchOptions): string[] {
  return [
    ...(configFile === undefined || isFoundFirst(configFile, project) ? [] : ['--config', configFile]),
    ...(tools === undefined ? [] : toolsFlag(tools.join(','))),
    ...(expose === undefined ? [] : ['--expose', expose]),
    ...(envFile === undefined ? [] : ['--secrets', 'env,dotenv', '--env-file', envFile]),
    ...(elicitsApproval === true ? ['--approval', 'elicit'] : []),
  ];
}

/** A tool name may begin with a dash: `--config` must not become a flag. */
function toolsFlag(names: string): string[] {
  return names.startsWith('-') ? [`--tools=${names}`] : ['--tools', names];
}

/** True when the search for a configuration in that folder finds this file first. */
function isFoundFirst(configFile: string, folder: string): boolean {
  const names: readonly string[] = configFileNames;
  const index = names.indexOf(path.basename(configFile));
  if (index < 0 || path.dirname(configFile) !== folder) return false;
  return !names.slice(0, index).some((name) => existsSync(path.join(folder, name)));
}

/** Quotes the command line for a shell. */
export function shellLine({ command, args }: Launch, platform: NodeJS.Platform): string {
  return [command, ...args].map((word) => shellWord(word, platform)).join(' ');
}
