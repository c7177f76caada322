import { copyFile, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { excerpt } from '../../kernel/index.ts';
import { BlockedFiles } from '../shared/control-files/blocked-files.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';
import { expectFree } from './create-collection.ts';
import { type CollectionFormat, findCollection } from './descriptor.ts';
import { noRequestsGuard } from './guard.ts';
import { checkName } from './names.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { readRequests } from './requests.ts';
import { readSpecification } from './specification.ts';

interface ImportOpenapi {
  /** An absolute path, or a URL. */
  readonly spec_source: string;
  readonly output_directory: string;
  readonly collection_name?: string;
  readonly collection_format?: CollectionFormat;
  readonly group_by?: 'tags' | 'path';
  readonly insecure?: boolean;
}

/** `apiclient_import_openapi`: creates a collection with a request for each operation of a specification. */
export async function importOpenapi(given: ImportOpenapi, work: OperationContext): Promise<unknown> {
  const { collection_format: format = 'bru', group_by: groupBy = 'tags' } = given;
  work.context.progress({ message: 'reading the specification' });
  const specification = await readSpecification(given.spec_source, given.insecure ?? false, work);
  const name = given.collection_name ?? specification.title;
  if (given.collection_name !== undefined) checkName('collection_name', name);
  const directory = path.join(given.output_directory, folderName(name));
  work.context.controlFiles.refuse(directory, 'write');
  await expectFree(directory);
  work.context.progress({ message: `importing "${name}"` });
  return inHiddenFolder(given.output_directory, async (hidden) => {
    const spec = path.join(hidden, 'openapi.json');
    await writeFile(spec, specification.json);
    const temporaryCollection = path.join(hidden, 'collection');
    const args = [
      'import',
      'openapi',
      `--source=${spec}`,
      `--output=${temporaryCollection}`,
      `--collection-name=${name}`,
      `--group-by=${groupBy}`,
    ];
    await convert(args, format, hidden, work);
    const root = await findCollection(temporaryCollection, { ...work, descriptors: ['opencollection.yml', 'bruno.json'] });
    for (const descriptor of format === 'bru' ? work.descriptors : [])
      if (descriptor.endsWith('.json') && descriptor !== 'bruno.json')
        await copyFile(path.join(temporaryCollection, 'bruno.json'), path.join(temporaryCollection, descriptor));
    const { requests, errors } = await readRequests(root, work);
    // File names come from the specification: check them before the move.
    const blockedFiles = new BlockedFiles(work.context.controlFiles);
    await blockedFiles.checkEntries(temporaryCollection, [directory], work.context.signal);
    blockedFiles.refuse({ action: 'imported' });
    await rename(temporaryCollection, directory).catch((error: unknown) => {
      throw operationError(`The collection could not be put at ${directory} (${codeOf(error)}).`, 'EXECUTION_FAILED', error);
    });
    return {
      success: true,
      collection_path: directory,
      collection_name: name,
      requests_created: requests.length,
      message: `Imported ${requests.length} requests into ${directory}. Their environments: see apiclient_get_collection_info.`,
      errors,
    };
  });
}

/** Runs the runner's import. Throws when it leaves no collection. */
async function convert(
  args: readonly string[],
  format: CollectionFormat,
  cwd: string,
  { runner, context }: OperationContext,
): Promise<void> {
  const { signal } = context;
  const isOld = (await runner.version(signal)).startsWith('2.');
  // Version 2 has one format only and refuses the flag.
  const formatFlag = isOld && format === 'bru' ? [] : [`--collection-format=${format}`];
  const needs = [
    { feature: 'importing', version: '2.0.0' },
    ...(format === 'bru' ? [] : [{ feature: 'collection_format opencollection', version: '3.0.0' }]),
  ];
  const { exitCode, stdout, stderr } = await runner.run([...args, ...formatFlag], needs, { cwd, signal, guard: noRequestsGuard });
  if (exitCode === 0 && (await stat(path.join(cwd, 'collection')).catch(() => undefined)) !== undefined) return;
  const output = excerpt(context.mask(decodeUtf8(stderr).text.trim() || decodeUtf8(stdout).text.trim()));
  throw operationError(`The runner could not import the specification (exit code ${exitCode ?? 'of a signal'}): ${output}`);
}

/** Runs `work` with a hidden folder inside a folder. Creates the folder if missing, and removes it again if it stays empty. */
async function inHiddenFolder<T>(directory: string, work: (hidden: string) => Promise<T>): Promise<T> {
  let made: string | undefined;
  let hidden: string;
  try {
    made = await mkdir(directory, { recursive: true });
    hidden = await mkdtemp(path.join(directory, '.apiclient-'));
  } catch (error) {
    throw operationError(
      `Nothing can be written in ${directory} (${codeOf(error)}): expected a folder, or a path where one can be made.`,
      'EXECUTION_FAILED',
      error,
    );
  }
  try {
    return await work(hidden);
  } finally {
    await rm(hidden, { recursive: true, force: true });
    if (made !== undefined) await removeEmpty(directory, made);
  }
}

/** Removes a folder and its parents up to `top`, as long as they are empty. */
async function removeEmpty(directory: string, top: string): Promise<void> {
  for (let folder = directory; folder.startsWith(top) && (await readdir(folder)).length === 0; folder = path.dirname(folder))
    await rmdir(folder);
}

/** Returns the folder name of a collection, as the runner derives it. Throws INVALID_PARAMETERS when nothing is left of the name. */
function folderName(name: string): string {
  const folder = name
    .replace(/[<>:"/\\|?*\p{Cc}]/gu, '-')
    .replace(/^[.\-\s]+/, '')
    // Most file systems limit names to 255 bytes, and a character has up to three.
    .slice(0, 80)
    .replace(/[.\s]+$/, '');
  if (folder !== '') return folder;
  throw operationError(`The name "${name}" cannot become the name of a folder. Give another collection_name.`, 'INVALID_PARAMETERS');
}
