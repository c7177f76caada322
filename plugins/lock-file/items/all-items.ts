import type { Kernel } from '../../../kernel/index.ts';
import type { LockItem } from './lock-item.ts';
import { pluginItems } from './plugin-items.ts';
import { skillItems } from './skill-items.ts';
import { toolItems } from './tool-items.ts';

/** Returns all tools, plugins and skills that the lock may have. `folder`: that of the configuration. */
export async function allItems(kernel: Kernel, folder: string): Promise<readonly LockItem[]> {
  return [...(await toolItems(kernel.registry, kernel, folder)), ...pluginItems(kernel, folder), ...(await skillItems(kernel.registry))];
}
