import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from './account-folders.ts';

/** Returns the default roots: the working directory, unless that is the whole disk or the home folder. */
export async function implicitRoots(cwd: string): Promise<string[]> {
  const here = await realOrSame(cwd);
  const isTooMuch = path.dirname(here) === here || here === (await realOrSame(path.resolve(homeFolder())));
  return isTooMuch ? [] : [cwd];
}

async function realOrSame(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
