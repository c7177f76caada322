import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { foldersForFile, temporaryFolder } from '../../../support/temporary.ts';

/** Builds the page into a temporary folder, and returns its path. */
export async function builtPage(): Promise<string> {
  const folder = await foldersForFile(() => temporaryFolder());
  await promisify(execFile)(process.execPath, ['plugins/toolkit/build-console.mjs', folder]);
  return folder;
}
