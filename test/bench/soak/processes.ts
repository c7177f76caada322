import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Identity of a process, which a later process with the same number does not share. */
export interface ProcessMark {
  readonly pid: number;
  readonly startedAt: string;
  readonly command: string;
}

interface Row extends ProcessMark {
  readonly parent: number;
  readonly isZombie: boolean;
}

/** Counts the open descriptors of a process. */
export function descriptorsOf(pid: number): number {
  return entries(`/proc/${pid}/fd`).length;
}

/** Counts the descriptors of a process by kind, for the report. */
export function descriptorKinds(pid: number): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const descriptor of entries(`/proc/${pid}/fd`)) {
    const target = link(`/proc/${pid}/fd/${descriptor}`);
    const kind = target.replace(/(\/node_modules\/[^/]+).*|:?\[\d+\]$/, '$1');
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

export function threadsOf(pid: number): number {
  return entries(`/proc/${pid}/task`).length;
}

/** The processes below this one that run. */
export function descendantsOf(pid: number): readonly ProcessMark[] {
  const rows = allRows();
  const below = (parent: number): readonly Row[] => rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)]);
  return below(pid).filter(({ isZombie }) => !isZombie);
}

/** Those that still run, and others that work in this folder or name it. */
export function leftOver(known: Iterable<ProcessMark>, folder: string): readonly ProcessMark[] {
  const keys = new Set([...known].map(keyOf));
  const isOurs = (row: Row): boolean =>
    keys.has(keyOf(row)) || row.command.includes(folder) || link(`/proc/${row.pid}/cwd`).startsWith(folder);
  return allRows().filter((row) => !row.isZombie && row.pid !== process.pid && isOurs(row));
}

export const keyOf = ({ pid, startedAt }: ProcessMark): string => `${pid} ${startedAt}`;

function allRows(): readonly Row[] {
  return entries('/proc').flatMap((name) => (/^\d+$/.test(name) ? rowOf(Number(name)) : []));
}

function rowOf(pid: number): readonly Row[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything.
    const [state = '', parent = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return [{ pid, parent: Number(parent), startedAt: rest[17] ?? '', command, isZombie: state === 'Z' || state === 'X' }];
  } catch {
    return [];
  }
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function link(place: string): string {
  try {
    return readlinkSync(place);
  } catch {
    return '';
  }
}
