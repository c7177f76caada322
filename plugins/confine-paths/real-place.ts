import { realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Where an absolute path really is. `path`: the links of its folders resolved, the last component as it is (so that a link itself can
 * be looked at or removed). `target`: where the last component leads. Parts that do not exist yet are kept as they are.
 */
export async function realPlace(absolute: string): Promise<{ path: string; target: string }> {
  const target = await realpathOrMissing(absolute);
  const parent = path.dirname(absolute);
  if (parent === absolute) return { path: target, target };
  return { path: path.join(await realpathOrMissing(parent), path.basename(absolute)), target };
}

async function realpathOrMissing(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(absolute);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || parent === absolute) throw error;
    return path.join(await realpathOrMissing(parent), path.basename(absolute));
  }
}

export function isInside(child: string, root: string): boolean {
  const relative = path.relative(root, child);
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative));
}
