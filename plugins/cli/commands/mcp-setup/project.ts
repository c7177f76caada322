import { statSync } from 'node:fs';
import path from 'node:path';
import { type CommandInvocation, type Kernel, messageOf } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { type Scan, scan, sourceOf } from './scan.ts';

/** The project that the assistant is connected to. */
export interface Project {
  /** Where the server works: the folder of the configuration file, else the working directory. */
  readonly folder: string;
  readonly configFile?: string;
  readonly scan: Scan;
  /** What there is when the server reads `.env` as well; only where the configuration does not say where secrets come from. */
  readonly withDotenv?: Scan;
  /** Who is asked for secrets: `env`, `dotenv`, `vault`, … */
  readonly resolvers: readonly string[];
}

/** The file of secrets in the folder of the project. */
export function dotenvOf({ folder }: Pick<Project, 'folder'>): string {
  return path.join(folder, '.env');
}

/** Looks at the tools and secrets of the configuration. */
export async function readProject({ configFile, createKernel, note }: CommandInvocation): Promise<Project> {
  const folder = configFile === undefined ? process.cwd() : path.dirname(configFile);
  const read = <T>(kernel: Kernel, look: (kernel: Kernel) => Promise<T>): Promise<T> => look(kernel).finally(() => kernel.close());
  const [found, taps] = await read(await createKernel(), async (kernel) => [await scan(kernel), kernel.tapsOf('resolveSecrets')] as const);
  const resolvers = taps.map(sourceOf);
  const project = { folder, scan: found, resolvers, ...(configFile === undefined ? {} : { configFile }) };
  const isUnsaid = taps.length === 1 && taps[0] === 'secret-resolver:secrets-env';
  if (!isUnsaid || statSync(dotenvOf(project), { throwIfNoEntry: false })?.isFile() !== true) return project;
  try {
    // The file first: what this shell has as well is not there when a client starts the server.
    const chain = { 'secret-resolver': { resolvers: [{ type: 'dotenv' }, { type: 'env' }] } };
    const withDotenv = await read(await createKernel(chain), scan);
    const isOfUse = withDotenv.groups.some(({ variables }) => variables.some(({ source }) => source === 'dotenv'));
    return isOfUse ? { ...project, withDotenv } : project;
  } catch (error) {
    note(`${visibleText(messageOf(error))}\n`);
    return project;
  }
}
