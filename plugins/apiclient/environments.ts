import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, isPlainObject, messageOf } from '../../kernel/index.ts';
import { readBlocks } from './bru-blocks.ts';
import { bruLanguage } from './bru-language.ts';
import type { CollectionContext, Root } from './descriptor.ts';
import { listOf } from './read-request.ts';
import { entriesOf, type WalkTally } from './request-files.ts';
import { readSmallFile } from './small-file.ts';
import { type Variable, variableOf } from './variables.ts';
import { yamlValue } from './yaml-value.ts';

export interface Environment {
  readonly name: string;
  readonly variables: readonly Variable[];
}

/** Returns the names of a collection's environments, sorted. */
export async function environmentNames(
  root: Root,
  { errors, unreadable }: Pick<WalkTally, 'errors'> & Partial<WalkTally> = { errors: [] },
): Promise<readonly string[]> {
  const folder = path.join(root.directory, 'environments');
  const extension = extensionOf(root);
  const stats = await lstat(folder).catch(() => undefined);
  // A collection without environments has no such folder.
  if (stats === undefined) return [];
  if (stats.isSymbolicLink()) {
    errors.push('environments: is a link, and links are not followed.');
    return [];
  }
  const entries = await entriesOf(folder, { errors, ...(unreadable === undefined ? {} : { unreadable }) });
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith(extension)).map(({ name }) => name.slice(0, -extension.length));
}

/** Reads the environments with their variables. An unreadable one has no variables and is named in `errors`. */
export async function readEnvironments(
  root: Root,
  { limits, context }: CollectionContext,
  noted: Pick<WalkTally, 'errors' | 'unreadable'>,
): Promise<readonly Environment[]> {
  const environments: Environment[] = [];
  for (const name of await environmentNames(root, noted)) {
    const file = `environments/${name}${extensionOf(root)}`;
    try {
      const text = await readSmallFile(path.join(root.directory, file), limits.maxFileBytes);
      environments.push({
        name,
        variables: root.format === 'bru' ? await readBruVariables(text) : await readYamlVariables(text, context.signal),
      });
    } catch (error) {
      noted.errors.push(`${file}: cannot be read: ${excerpt(messageOf(error))}`);
      noted.unreadable.addSystemError(file, error);
      environments.push({ name, variables: [] });
    }
  }
  return environments;
}

function extensionOf({ format }: Root): string {
  return format === 'bru' ? '.bru' : '.yml';
}

async function readBruVariables(text: string): Promise<readonly Variable[]> {
  const { bruToEnvJsonV2 } = await bruLanguage();
  return readBlocks(text, bruToEnvJsonV2).content.variables.map(variableOf);
}

async function readYamlVariables(text: string, signal: AbortSignal): Promise<readonly Variable[]> {
  const content = await yamlValue(text, signal);
  return yamlVariables(isPlainObject(content) ? content['variables'] : undefined);
}

/** Reads the variables of a list in an OpenCollection. */
export function yamlVariables(list: unknown): readonly Variable[] {
  return listOf(list)
    .filter(isPlainObject)
    .map(({ name, value, disabled, secret }) =>
      variableOf({ name: String(name), value, enabled: disabled !== true, secret: secret === true }),
    );
}
