import path from 'node:path';
import type { Parameter } from '../../../kernel/index.ts';
import { isInside } from '../../shared/project/is-inside.ts';
import type { Job } from '../worker-pool.ts';

/**
 * Returns the folder whose files a child process for this job may read, beside packages: that of the definitions. `all` for a tool with a parameter that
 * holds a path, at any depth, also where only a part of it runs in the child.
 */
export function readableBy({ code, call: { tool } }: Job): string | 'all' {
  if (Object.values(tool.parameters).some(holdsPath)) return 'all';
  const { root } = tool.origin;
  return root !== undefined && isInside(code.file, root) ? root : path.dirname(code.file);
}

function holdsPath({ path: access, reads, items, properties = {}, additionalProperties }: Parameter): boolean {
  // What is there is read for the function, which gets the value.
  if (reads !== undefined) return false;
  const below = [items, additionalProperties, ...Object.values(properties)];
  return access !== undefined || below.some((parameter) => typeof parameter === 'object' && holdsPath(parameter as Parameter));
}
