import { stat } from 'node:fs/promises';
import { ToolkitError } from '../../kernel/index.ts';
import type { VerifyOptions } from './chain-check.ts';
import { verifyFolder } from './folder/verify-folder.ts';
import { verifyChain } from './verify-chain.ts';
import type { VerifyReport } from './verify-report.ts';

/**
 * Verifies a trail in constant memory: the index and segments of a folder, or the rotated files of a file and then the file itself. The trail
 * may be in use; records written meanwhile are not checked. Throws INVALID_PARAMETERS when there is no such file.
 */
export async function verifyTrail(trail: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  if (await isFolder(trail)) return verifyFolder(trail, options);
  const report = await verifyChain(trail, options);
  if (report !== undefined) return report;
  throw new ToolkitError('INVALID_PARAMETERS', `There is no audit trail "${trail}". Name the file, or the folder, of the option "path".`);
}

async function isFolder(trail: string): Promise<boolean> {
  try {
    return (await stat(trail)).isDirectory();
  } catch {
    return false;
  }
}
