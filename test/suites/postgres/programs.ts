import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The user that a server runs as; undefined for that of this process. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The folder with `initdb` and `postgres`: of the newest version in the folders of Debian, else one of PATH. Undefined when there is none. */
export function programFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => path.join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(path.join(folder, program))));
}

/** PostgreSQL refuses to run as root: then it gets the user `postgres`, else `nobody`. */
export async function serverUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name)).find((fields) => fields !== undefined);
  if (found === undefined) throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
