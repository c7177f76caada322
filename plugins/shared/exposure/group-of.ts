import type { Tool } from '../../../kernel/index.ts';

/** Returns the first part of a tool's name: `fs` of `fs_read_file`. A provider may have several groups. */
export function groupOf({ name }: Pick<Tool, 'name'>): string {
  return name.split('_', 1)[0] as string;
}
