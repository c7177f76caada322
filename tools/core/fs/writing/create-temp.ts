import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolders } from '../files/folders.ts';
import { isRealPath, movedError, refuseMoved } from '../files/path-race.ts';
import { bytesOf } from './written-bytes.ts';

interface CreateTempParameters {
  readonly kind: 'file' | 'directory';
  readonly prefix: string;
  readonly suffix: string;
  readonly content?: string;
  /** Folder that contains `.toolkit/tmp`: the first of the roots. */
  readonly root: string;
}

/**
 * Creates a file or folder with a unique name, accessible to the owner only, and removes it when the kernel closes. Throws
 * INVALID_PARAMETERS, EXECUTION_FAILED, and POLICY_DENIED for the name of a control file.
 */
export async function createTemp(parameters: CreateTempParameters, context: FunctionContext): Promise<{ readonly path: string }> {
  const { kind, prefix, suffix, content, root } = parameters;
  if (kind === 'directory' && content !== undefined) throw contentOfFolder();
  const bytes = bytesOf(content ?? '', 'utf8');
  const folder = nodePath.join(root, '.toolkit', 'tmp');
  const name = `${prefix}${randomBytes(8).toString('hex')}${suffix}`;
  const path = nodePath.join(folder, name);
  for (const place of [path, nodePath.join(root, name)]) context.controlFiles.refuse(place, 'write', name);
  try {
    await makeFolders(folder);
    if (kind === 'directory') await makeFolder(path);
    else await makeFile(path, bytes);
    context.onClose(() => clear(path));
    return { path };
  } catch (error) {
    throw fileError(error, 'write', path);
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (isRealPath(path)) return;
  await rmdir(path);
  throw movedError(path);
}

async function makeFile(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await refuseMoved(file.fd, path);
    await file.writeFile(bytes);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Removes an entry, and the folders above it when they are empty; `.toolkit` may hold other files. */
async function clear(path: string): Promise<void> {
  const folder = nodePath.dirname(path);
  if (!isRealPath(folder)) return;
  await rm(path, { recursive: true, force: true });
  for (const emptied of [folder, nodePath.dirname(folder)]) await rmdir(emptied).catch(() => {});
}

function contentOfFolder(): ToolkitError {
  const message = 'expected no content for a directory. Leave it out, or set kind to "file"';
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "content": ${message}.`, { issues: [{ path: 'content', message }] });
}
