import path from 'node:path';
import { isInside } from '../../shared/project/is-inside.ts';
import type { Job } from '../worker-pool.ts';
import { hasPath } from './has-path.ts';

/**
 * Returns the folder that a child process for this job may read, beside packages: the folder of the definitions. `all` for a
 * tool with a parameter that holds a path, at any depth, even where only a part of the tool runs in the child.
 */
export function readableFolder({ code, call: { tool } }: Job): string | 'all' {
  if (hasPath(tool)) return 'all';
  const { root } = tool.origin;
  return root !== undefined && isInside(code.file, root) ? root : path.dirname(code.file);
}
