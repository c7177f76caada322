import { statSync } from 'node:fs';
import path from 'node:path';
import { type CommandInvocation, flattenPlugins, type Kernel, messageOf } from '../../../../kernel/index.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { secretsFile } from '../../../shared/project/secrets-file.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { McpOptions } from '../../options.ts';
import { type Scan, scan, sourceOf } from './scan.ts';

/** The project to which the assistant connects. */
export interface Project {
  /** Working folder of the server: that of the configuration file, else the working directory. */
  readonly folder: string;
  readonly configFile?: string;
  readonly scan: Scan;
  /** Scan in which the server also reads `.env`. Present only when that provides a secret and the configuration names no resolvers. */
  readonly dotenvScan?: Scan;
  /** The secret resolvers: `env`, `dotenv`, `vault`, … */
  readonly resolvers: readonly string[];
  /** True when the configuration sets `expose`, so that the setup need not. */
  readonly configuresExposure: boolean;
  /** File for the values that tools need; absent when the configuration names other stores only. */
  readonly envFile?: EnvFile;
}

/** A file of secrets that the server reads, or can be started to read. */
export interface EnvFile {
  /** Absolute. */
  readonly file: string;
  /** True when the configuration names the file, so that the setup need not. */
  readonly isConfigured: boolean;
}

/** Reads the tools and secrets of the configuration. */
export async function readProject(invocation: CommandInvocation): Promise<Project> {
  const { configFile, note } = invocation;
  const folder = projectFolder(configFile);
  const { found, taps, dotenvPath, configuresExposure } = await withKernel(invocation, {}, async (kernel, configures) => ({
    found: await scan(kernel),
    taps: kernel.tapsOf('resolveSecrets').map(({ name }) => name),
    dotenvPath: kernel.facts(secretsFile)[0]?.value,
    configuresExposure: configures,
  }));
  const resolvers = taps.map(sourceOf);
  const project = { folder, scan: found, resolvers, configuresExposure, ...(configFile === undefined ? {} : { configFile }) };
  const hasDefaultChain = taps.length === 1 && taps[0] === 'secret-resolver:secrets-env';
  if (!hasDefaultChain && !resolvers.includes('dotenv')) return project;
  const envFile = { file: path.resolve(folder, dotenvPath ?? '.env'), isConfigured: !hasDefaultChain };
  if (!hasDefaultChain || statSync(envFile.file, { throwIfNoEntry: false })?.isFile() !== true) return { ...project, envFile };
  try {
    const dotenvScan = await scanWith(invocation, envFile);
    const providesSecret = dotenvScan.groups.some(({ variables }) => variables.some(({ source }) => source === 'dotenv'));
    return { ...project, envFile, ...(providesSecret ? { dotenvScan } : {}) };
  } catch (error) {
    note(`${visibleText(messageOf(error))}\n`);
    return project;
  }
}

/** Scans the project as a server that also reads the file. Throws SECRET_STORE_UNAVAILABLE for a file that cannot be read. */
export function scanWith(invocation: CommandInvocation, { file, isConfigured }: EnvFile): Promise<Scan> {
  // The file first: a client may start the server without the variables of this shell.
  const chain = { 'secret-resolver': { resolvers: [{ type: 'dotenv', path: file }, { type: 'env' }] } };
  return withKernel(invocation, isConfigured ? {} : chain, scan);
}

/** Runs `look` with the kernel as the entry's server has it: when the configuration does not set `expose`, the entry sets `auto`. */
async function withKernel<T>(
  { createKernel }: CommandInvocation,
  overrides: Parameters<CommandInvocation['createKernel']>[0],
  look: (kernel: Kernel, configuresExposure: boolean) => Promise<T>,
): Promise<T> {
  let configuresExposure = false;
  const kernel = await createKernel(overrides, (options) => {
    const plugins = flattenPlugins(options.plugins).map((plugin) => {
      if (plugin.name !== 'mcp') return plugin;
      configuresExposure = (plugin.options as McpOptions).expose !== undefined;
      return configuresExposure ? plugin : plugin.withOptions({ expose: 'auto' });
    });
    return { ...options, plugins };
  });
  try {
    return await look(kernel, configuresExposure);
  } finally {
    await kernel.close();
  }
}
