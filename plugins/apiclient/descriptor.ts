import { stat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, isPlainObject, messageOf, readJson } from '../../kernel/index.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { filesNamedIn } from './read-request.ts';
import { readSmallFile } from './small-file.ts';
import { yamlValue } from './yaml-value.ts';

/** Format of the request files: `.bru`, or `.yml` (OpenCollection). */
export type CollectionFormat = 'bru' | 'opencollection';

export interface Root {
  /** Absolute path. */
  readonly directory: string;
  readonly name: string;
  readonly format: CollectionFormat;
  /** Names of the existing descriptors. */
  readonly descriptors: readonly string[];
  /** Paths of files that the descriptors name, such as client certificates. */
  readonly files: readonly string[];
}

/** Services needed to read a collection. */
export type CollectionContext = Pick<OperationContext, 'descriptors' | 'limits' | 'context'>;

/** Finds the collection at a path: its folder, or a file directly in it. */
export async function findCollection(collectionPath: string, work: CollectionContext): Promise<Root> {
  const directory = await directoryOf(collectionPath);
  const present = await presentDescriptors(directory, work.descriptors);
  if (present.length > 0) return readRoot(directory, present, work);
  throw operationError(
    `"${collectionPath}" is not a collection: expected ${work.descriptors.map((name) => `"${name}"`).join(' or ')} in ${directory}. Give the folder that has it; apiclient_list_collections finds collections, apiclient_create_collection makes one.`,
    'NOT_FOUND',
  );
}

/** Returns the descriptors in a folder, in the order of the configuration. */
export async function presentDescriptors(directory: string, descriptors: readonly string[]): Promise<readonly string[]> {
  const isThere = await Promise.all(descriptors.map((name) => isFile(path.join(directory, name))));
  return descriptors.filter((_, index) => isThere[index]);
}

export async function readRoot(directory: string, present: readonly string[], work: CollectionContext): Promise<Root> {
  const yaml = present.find((name) => name.endsWith('.yml'));
  const descriptor = yaml ?? present[0] ?? '';
  const content = await readDescriptor(path.join(directory, descriptor), work);
  const others = present.filter((other) => other !== descriptor);
  // Errors in the other descriptors are ignored: the runner reports them if it needs them.
  const contents = await Promise.all(others.map((other) => readDescriptor(path.join(directory, other), work).catch(() => ({}))));
  const info = isPlainObject(content['info']) ? content['info'] : {};
  const name = yaml === undefined ? content['name'] : info['name'];
  return {
    directory,
    name: typeof name === 'string' && name.trim() !== '' ? name : path.basename(directory),
    format: yaml === undefined ? 'bru' : 'opencollection',
    descriptors: present,
    files: filesNamedIn([content, ...contents]),
  };
}

async function readDescriptor(file: string, { limits, context }: CollectionContext): Promise<Record<string, unknown>> {
  try {
    const text = await readSmallFile(file, limits.maxFileBytes);
    const content: unknown = file.endsWith('.yml') ? await yamlValue(text, context.signal) : readJson(text);
    if (!isPlainObject(content)) throw new Error(`expected an object, received ${Array.isArray(content) ? 'a list' : typeof content}`);
    return content;
  } catch (error) {
    throw operationError(`The descriptor ${file} cannot be read: ${excerpt(messageOf(error))}. Correct it.`, 'EXECUTION_FAILED', error);
  }
}

async function directoryOf(collectionPath: string): Promise<string> {
  try {
    return (await stat(collectionPath)).isDirectory() ? collectionPath : path.dirname(collectionPath);
  } catch (error) {
    throw operationError(
      `"${collectionPath}" cannot be opened (${codeOf(error)}): expected the folder of a collection, or a file in it.`,
      'NOT_FOUND',
      error,
    );
  }
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
