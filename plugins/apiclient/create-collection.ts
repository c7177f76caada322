import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkName } from './names.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';

/**
 * With a script before every request, even an empty one, the runner waits for its sandbox. Without it, the first request of a run may be sent
 * before the sandbox is ready.
 */
const collectionSettings = `script:pre-request {
  // Keep a script here: with one, the runner waits until its sandbox is ready.
}
`;

/** `apiclient_create_collection`: creates a folder with its descriptors, in one step. */
export async function createCollection(
  { collection_name: name, collection_path: directory }: { readonly collection_name: string; readonly collection_path: string },
  { descriptors, context }: OperationContext,
): Promise<unknown> {
  checkName('collection_name', name);
  await expectFree(directory);
  // The runner reads only its own descriptor.
  const names = new Set([...descriptors.filter((descriptor) => descriptor.endsWith('.json')), 'bruno.json']);
  for (const file of [...names, 'collection.bru']) context.controlFiles.refuse(path.join(directory, file), 'write');
  const parent = path.dirname(directory);
  await mkdir(parent, { recursive: true }).catch((error: unknown) => {
    throw operationError(`The folder ${parent} cannot be made (${codeOf(error)}).`, 'EXECUTION_FAILED', error);
  });
  await createAtOnce(directory, async (folder) => {
    for (const descriptor of names) await writeFile(path.join(folder, descriptor), descriptorText(name));
    await writeFile(path.join(folder, 'collection.bru'), collectionSettings);
  });
  return {
    success: true,
    collection_path: directory,
    message: `Created the collection "${name}" in ${directory}. Add requests with apiclient_add_request.`,
    errors: [],
  };
}

/** Returns the content of a JSON descriptor. */
export function descriptorText(name: string): string {
  return `${JSON.stringify({ version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] }, null, 2)}\n`;
}

/** Throws unless the folder is missing or empty. */
export async function expectFree(directory: string): Promise<void> {
  const stats = await stat(directory).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw operationError(`${directory} is a file: expected a folder that does not exist yet, or is empty.`);
  if ((await readdir(directory)).length > 0)
    throw operationError(`${directory} exists and is not empty, and was left as it is. Give another path, or remove it first.`);
}

/** Fills a hidden folder and moves it, or its entries, to `directory`, whose parent must exist. */
export async function createAtOnce(directory: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const exists = (await stat(directory).catch(() => undefined)) !== undefined;
  // An existing folder may be a root: nothing may be written next to it.
  const parent = exists ? directory : path.dirname(directory);
  const hidden = await mkdtemp(path.join(parent, '.apiclient-')).catch((error: unknown) => {
    throw operationError(`Nothing can be written in ${parent} (${codeOf(error)}).`, 'EXECUTION_FAILED', error);
  });
  const folder = path.join(hidden, 'new');
  try {
    await mkdir(folder);
    await fill(folder);
    const moves = exists
      ? (await readdir(folder)).map((name) => [path.join(folder, name), path.join(directory, name)])
      : [[folder, directory]];
    for (const [from = '', to = ''] of moves)
      await rename(from, to).catch((error: unknown) => {
        throw operationError(`The collection could not be put at ${directory} (${codeOf(error)}).`, 'EXECUTION_FAILED', error);
      });
  } finally {
    await rm(hidden, { recursive: true, force: true });
  }
}
