import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from '../../../kernel/index.ts';
import { shellWord } from '../text/shell-word.ts';

/** Warns about files with secrets that other accounts can read. `folder`: base of relative paths. Empty on Windows. */
export async function checkEnvFiles(files: readonly string[], folder: string): Promise<readonly Finding[]> {
  const paths = [...new Set(files.map((file) => path.resolve(folder, file)))];
  const findings = await Promise.all(paths.map(checkPermissions));
  return findings.filter((finding) => finding !== undefined);
}

async function checkPermissions(file: string): Promise<Finding | undefined> {
  const found = process.platform === 'win32' ? undefined : await stat(file).catch(() => undefined);
  if (found === undefined || (found.mode & 0o077) === 0) return undefined;
  return {
    check: 'Env file',
    state: 'warning',
    message: `${file} can be read or changed by other accounts of this machine (mode ${(found.mode & 0o777).toString(8)})`,
    hint: `Close it: chmod 600 ${shellWord(file)}`,
  };
}
