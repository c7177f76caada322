import { appendFile, copyFile, mkdir, rename, rm, rmdir, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { type Audited, type AuditOptions, audited, writtenTrail } from './audited.ts';
import { type Disk, disk } from './disk.ts';

export interface Fault {
  readonly title: string;
  readonly cause: (file: string, disk: Disk) => unknown;
  readonly repair: (file: string, disk: Disk) => unknown;
  /** Message that a refused caller gets. */
  readonly says: string;
  /** Notes in the trail afterwards. */
  readonly notes?: readonly string[];
}

const full = (room: number) => (_file: string, on: Disk) => Object.assign(on, { room });
const roomy = full(Number.POSITIVE_INFINITY);
const putAside = (file: string) => rename(file, `${file}.aside`);
const putBack = (file: string) => rename(`${file}.aside`, file);
const torn = ['it is half a line, as a crash leaves it; record 2 says so'];

/** Faults that keep a trail with one record from being written until it is repaired. */
export const faults: readonly Fault[] = [
  { title: 'the disk is full', cause: full(0), repair: roomy, says: 'ENOSPC: as the system says it' },
  { title: 'the disk has room for one byte', cause: full(1), repair: roomy, says: 'ENOSPC', notes: torn },
  { title: 'the disk has room for half a record', cause: full(200), repair: roomy, says: 'ENOSPC', notes: torn },
  {
    title: 'the disk fails',
    cause: (_, on) => Object.assign(on, { room: 0, code: 'EIO' }),
    repair: roomy,
    says: 'EIO: as the system says it',
  },
  {
    title: 'the file was replaced by another text',
    cause: async (file) => {
      await putAside(file);
      await writeFile(file, 'mine\n');
    },
    repair: putBack,
    says: 'its last line does not verify',
  },
  {
    title: 'the file was replaced by another trail',
    cause: async (file) => {
      await putAside(file);
      await copyFile(await writtenTrail(['other']), file);
    },
    repair: putBack,
    says: 'its file was replaced or changed',
  },
  {
    title: 'the file was replaced by a symbolic link to it',
    cause: async (file) => {
      await putAside(file);
      await symlink(`${file}.aside`, file);
    },
    repair: putBack,
    says: 'it is a symbolic link',
  },
  {
    title: 'a directory is in its place',
    cause: async (file) => {
      await putAside(file);
      await mkdir(file);
    },
    repair: async (file) => {
      await rmdir(file);
      await putBack(file);
    },
    says: 'it is not a file',
  },
  {
    title: 'another program wrote a line into it',
    cause: async (file) => {
      await copyFile(file, `${file}.aside`);
      await appendFile(file, 'mine\n');
    },
    repair: putBack,
    says: 'its last line does not verify',
  },
  {
    title: 'its end was cut off',
    cause: async (file) => {
      await copyFile(file, `${file}.aside`);
      await truncate(file, 50);
    },
    repair: putBack,
    says: 'its file was replaced or changed',
  },
];

/** With `open` a new file begins by itself; `closed` waits for somebody. */
export const removals: readonly (Fault & { readonly problems: readonly string[] })[] = [
  { title: 'the file was removed, until it is put back', cause: putAside, repair: putBack, says: 'its file was removed', problems: [] },
  {
    title: 'the file was removed, until an empty one is in its place',
    cause: (file) => unlink(file),
    repair: (file) => writeFile(file, ''),
    says: 'its file was removed',
    notes: ['record 2 says that the file before it was removed by another program'],
    problems: ['record 1 is missing before it: the files begin with record 2'],
  },
  {
    title: 'the folder was removed, until it is there with an empty file',
    cause: (file) => rm(path.dirname(file), { recursive: true }),
    repair: async (file) => {
      await mkdir(path.dirname(file));
      await writeFile(file, '');
    },
    says: 'its file was removed',
    notes: ['record 2 says that the file before it was removed by another program'],
    problems: ['record 1 is missing before it: the files begin with record 2'],
  },
];

export interface Started extends Audited {
  readonly disk: Disk;
  /** How often the tool `count` ran. */
  readonly ran: () => number;
}

/** A trail with one record, in a folder of its own. */
export async function started(options: AuditOptions = {}, more: Parameters<typeof audited>[1] = {}): Promise<Started> {
  let ran = 0;
  const on = await disk();
  const file = path.join(await temporaryFolder(), 'trail', 'audit.jsonl');
  const count = echoTool({ name: 'count', execution: { type: 'function', handler: () => ++ran } });
  const result = await audited({ ...options, path: file }, { ...more, tools: [count, ...(more.tools ?? [])] });
  await result.kernel.execute('count');
  ran = 0;
  return { ...result, disk: on, ran: () => ran };
}
