import path from 'node:path';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { afterEach } from '../../../support/after-each.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import type { Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

const before = process.env['HOME'];

/** Lives in a home folder with this Git configuration until the test ends; without one, as a person of whom git knows the name. */
export async function person(configuration = '[user]\n\tname = Grace Hopper\n\temail = grace@example.com\n'): Promise<string> {
  const home = await temporaryFolder({ '.gitconfig': configuration });
  process.env['HOME'] = home;
  return home;
}

afterEach(() => {
  process.env['HOME'] = before;
});

/** The core tools, open to the folder in which the repository lies, where remotes may be too. */
export async function toolsBeside({ folder }: Repository): Promise<Toolkit> {
  return coreToolkit({ roots: [path.dirname(folder)] });
}

/** Calls a git tool that may read only this repository. */
export async function call<T>(tool: string, { folder }: Repository, parameters: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const toolkit = await coreToolkit({ roots: [folder] });
  return (await toolkit.execute(tool, parameters)) as T;
}
