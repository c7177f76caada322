import { stat } from 'node:fs/promises';
import type { Root } from './descriptor.ts';
import { environmentNames } from './environments.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { MinimumVersion } from './runner.ts';

/** Parameters of both run operations. */
export interface RunSettings {
  readonly environment?: string;
  readonly env_file?: string;
  readonly sandbox_mode?: 'safe' | 'developer';
  /** Folders that tools may access. */
  readonly roots?: readonly string[];
}

/** Returns the flags of an environment and of a file of variables, which must exist. Throws NOT_FOUND. */
export async function settingFlags(root: Root, { environment, env_file: file }: RunSettings): Promise<readonly string[]> {
  if (environment !== undefined) await expectEnvironment(root, environment);
  if (file !== undefined) await expectFile(file);
  return [
    ...(environment === undefined ? [] : [`--env=${environment}`]),
    // Not `--env-file`: Node would read that file as its own variables, NODE_OPTIONS among them.
    ...(file === undefined ? [] : [`--envFile=${file}`]),
  ];
}

export function settingNeeds({ env_file: file }: RunSettings): readonly MinimumVersion[] {
  return file === undefined ? [] : [{ feature: 'env_file', version: '2.0.0' }];
}

/** Requires a name from the list: the runner itself would load a file outside of the collection. */
async function expectEnvironment(root: Root, environment: string): Promise<void> {
  const names = await environmentNames(root);
  if (names.includes(environment)) return;
  const known = names.length === 0 ? 'none, because the collection has no environments' : names.map((name) => `"${name}"`).join(', ');
  throw operationError(`The collection ${root.directory} has no environment "${environment}": expected ${known}.`, 'NOT_FOUND');
}

async function expectFile(file: string): Promise<void> {
  const stats = await stat(file).catch((error: unknown) => {
    throw operationError(`The environment file ${file} cannot be opened (${codeOf(error)}).`, 'NOT_FOUND', error);
  });
  if (!stats.isFile()) throw operationError(`The environment file ${file} is no file.`, 'NOT_FOUND');
  if (!/\.(bru|json|ya?ml)$/i.test(file))
    throw operationError(`The environment file ${file} has another format: expected a name that ends in .bru, .json or .yml.`);
}
