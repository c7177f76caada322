import { randomUUID } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkName, slugOf } from './names.ts';
import type { NewRequest } from './new-request.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { requestText } from './request-text.ts';
import { readCollection } from './requests.ts';

/** `apiclient_add_request`: adds a `.bru` file to the folder of a collection. */
export async function addRequest(
  { collection_path: collectionPath, ...request }: NewRequest & { readonly collection_path: string },
  work: OperationContext,
): Promise<unknown> {
  const { request_name: name } = request;
  checkName('request_name', name);
  const { root, requests } = await readCollection(collectionPath, work);
  if (root.format !== 'bru')
    throw operationError(
      `${root.directory} is an OpenCollection, whose requests are .yml files: expected a collection of .bru files. Write the file by hand.`,
    );
  const existing = requests.find((other) => other.name === name);
  if (existing !== undefined)
    throw operationError(`A request "${name}" exists, in ${existing.file}, and was left as it is. Give another request_name.`);
  const orders = requests.filter(({ file, order }) => !file.includes('/') && Number.isFinite(order)).map(({ order }) => order);
  const text = await requestText(request, Math.max(0, ...orders) + 1);
  const file = path.join(root.directory, `${await slugOf('request_name', name)}.bru`);
  work.context.controlFiles.refuse(file, 'write');
  await writeNew(file, text);
  return {
    success: true,
    request_path: file,
    request_name: name,
    message: `Added "${name}" to "${root.name}". Run it with apiclient_run_request.`,
    errors: [],
  };
}

/** Writes a new file: it has the whole text or does not exist. Throws when it existed before. */
async function writeNew(file: string, text: string): Promise<void> {
  const hidden = path.join(path.dirname(file), `.apiclient-${randomUUID()}`);
  try {
    await writeFile(hidden, text, { flag: 'wx' });
    await link(hidden, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw operationError(`The file ${file} exists and was left as it is. Give another request_name.`, 'EXECUTION_FAILED', error);
    throw operationError(`The file ${file} cannot be written (${codeOf(error)}).`, 'EXECUTION_FAILED', error);
  } finally {
    await rm(hidden, { force: true });
  }
}
