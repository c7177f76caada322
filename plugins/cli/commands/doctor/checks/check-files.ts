import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel } from '../../../../../kernel/index.ts';
import { shellWord } from '../../../../shared/text/shell-word.ts';
import { optionsOf } from '../../../options-of.ts';
import type { Finding } from './finding.ts';

/** Reports problems with the files that the configuration names: open permissions, missing roots, an audit trail that cannot be written. */
export async function checkFiles(kernel: Kernel | undefined, folder: string): Promise<Finding[]> {
  const findings = await Promise.all([
    ...envFiles(kernel, folder).map(checkPermissions),
    ...roots(kernel, folder).map(checkRoot),
    checkTrail(kernel, folder),
  ]);
  return findings.filter((finding) => finding !== undefined);
}

function envFiles(kernel: Kernel | undefined, folder: string): string[] {
  const { resolvers = [] } = optionsOf(kernel, 'secret-resolver') as { resolvers?: readonly { type: string; path?: string }[] };
  const named = [
    optionsOf(kernel, 'secrets-dotenv')['path'],
    ...resolvers.filter(({ type }) => type === 'dotenv').map((entry) => entry.path),
  ];
  const files = ['.env', ...named.filter((place) => typeof place === 'string')];
  return [...new Set(files.map((file) => path.resolve(folder, file)))];
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

function roots(kernel: Kernel | undefined, folder: string): string[] {
  const { roots: write, readRoots } = optionsOf(kernel, 'confine-paths') as Record<string, readonly string[] | undefined>;
  return [...(write ?? []), ...(readRoots ?? [])].map((root) => path.resolve(folder, root));
}

async function checkRoot(root: string): Promise<Finding | undefined> {
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return undefined;
  return {
    check: 'Roots',
    state: 'warning',
    message: `${root} is not a folder: file tools find nothing there`,
    hint: 'Make it, or correct "roots".',
  };
}

async function checkTrail(kernel: Kernel | undefined, folder: string): Promise<Finding | undefined> {
  const given = optionsOf(kernel, 'audit-trail')['path'];
  if (typeof given !== 'string') return undefined;
  const file = path.resolve(folder, given);
  const existing = await findNearestExisting(file);
  try {
    await access(existing, constants.W_OK);
    return undefined;
  } catch {
    const message = `${file} cannot be written: this account may not change ${existing}`;
    return {
      check: 'Audit trail',
      state: 'problem',
      message,
      hint: 'Give this account the right to, or name another place in audit-trail.',
    };
  }
}

async function findNearestExisting(target: string): Promise<string> {
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  return isThere || target === path.dirname(target) ? target : findNearestExisting(path.dirname(target));
}
