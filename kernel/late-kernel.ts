import { ToolkitError } from './errors.ts';
import type { Kernel } from './kernel.ts';

/** The kernel as plugins get it: any use before every plugin is applied is refused. */
export function lateKernel(kernel: Kernel, plugin: string, isReady: () => boolean): Kernel {
  return new Proxy(kernel, {
    get: (target, key) => {
      if (!isReady()) {
        const use = `uses kernel.${String(key)} inside apply(), before the kernel is ready. Use it inside a tap.`;
        throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" ${use}`, { plugin });
      }
      const member = target[key as keyof Kernel];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
