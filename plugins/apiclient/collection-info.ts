import path from 'node:path';
import { excerpt, isPlainObject, messageOf } from '../../kernel/index.ts';
import { readBlocks } from './bru-blocks.ts';
import { bruLanguage } from './bru-language.ts';
import type { CollectionContext, Root } from './descriptor.ts';
import { readEnvironments, yamlVariables } from './environments.ts';
import type { OperationContext } from './operation-services.ts';
import { objectAt } from './read-request.ts';
import type { WalkTally } from './request-files.ts';
import { type Request, readCollection } from './requests.ts';
import { readSmallFile } from './small-file.ts';
import { type Variable, variableOf } from './variables.ts';
import { yamlValue } from './yaml-value.ts';

interface InfoParameters {
  readonly collection_path: string;
  /** Lists only requests with this text in name, method, URL, file or a tag; case-insensitive. */
  readonly filter?: string;
}

/** `apiclient_get_collection_info`: describes a collection, without credentials and secret values. */
export async function collectionInfo(
  { collection_path: collectionPath, filter }: InfoParameters,
  work: OperationContext,
): Promise<unknown> {
  const { root, requests, errors: unread, unreadable } = await readCollection(collectionPath, work);
  const errors = [...unread];
  const environments = await readEnvironments(root, work, { errors, unreadable });
  return {
    success: true,
    collection: {
      name: root.name,
      path: root.directory,
      format: root.format,
      requests: requests.filter((request) => matchesFilter(request, filter)).map(({ order: _order, files: _files, ...request }) => request),
      ...(filter === undefined ? {} : { total_requests: requests.length }),
      environments,
      ...(await settingsOf(root, work, { errors, unreadable })),
    },
    errors,
    ...unreadable.result,
  };
}

function matchesFilter({ name, method, url, file, tags }: Request, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  const needle = filter.toLowerCase();
  return [name, method, url, file, ...tags].some((text) => text.toLowerCase().includes(needle));
}

/** Authentication of requests: the mode, and the names of the fields that have a value. */
interface Authentication {
  readonly mode: string;
  readonly fields: readonly string[];
}

interface Settings {
  readonly variables: readonly Variable[];
  readonly authentication: Authentication;
}

async function settingsOf(
  root: Root,
  { limits, context }: CollectionContext,
  noted: Pick<WalkTally, 'errors' | 'unreadable'>,
): Promise<Settings> {
  const isBru = root.format === 'bru';
  const name = isBru ? 'collection.bru' : (root.descriptors.find((descriptor) => descriptor.endsWith('.yml')) ?? '');
  try {
    const text = await readSmallFile(path.join(root.directory, name), limits.maxFileBytes);
    return isBru ? await readBruSettings(text) : await readYamlSettings(text, context.signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') noted.errors.push(`${name}: cannot be read: ${excerpt(messageOf(error))}`);
    noted.unreadable.addSystemError(name, error);
    return { variables: [], authentication: { mode: 'none', fields: [] } };
  }
}

async function readBruSettings(text: string): Promise<Settings> {
  const { collectionBruToJson } = await bruLanguage();
  const { auth = {}, vars } = readBlocks(text, collectionBruToJson).content;
  const { mode = 'none' } = auth;
  return { variables: (vars?.req ?? []).map(variableOf), authentication: { mode, fields: fieldsOf(auth[mode]) } };
}

async function readYamlSettings(text: string, signal: AbortSignal): Promise<Settings> {
  const content = await yamlValue(text, signal);
  const request = objectAt({ ...(isPlainObject(content) ? content : {}) }, 'request');
  const { auth, variables } = request;
  const { type, ...fields } = objectAt({ auth }, 'auth');
  const mode = typeof auth === 'string' ? auth : typeof type === 'string' ? type : 'none';
  return { variables: yamlVariables(variables), authentication: { mode, fields: fieldsOf(fields) } };
}

function fieldsOf(values: unknown): readonly string[] {
  if (!isPlainObject(values)) return [];
  return Object.entries(values).flatMap(([name, value]) => (value === '' || value === undefined || value === null ? [] : [name]));
}
