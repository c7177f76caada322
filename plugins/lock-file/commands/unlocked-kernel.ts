import type { CommandInvocation, Kernel, Plugin } from '../../../kernel/index.ts';

/** Runs `work` with a kernel that withholds nothing, so that the present state can be compared and accepted. */
export async function withUnlockedKernel<T>(
  { createKernel }: Pick<CommandInvocation, 'createKernel'>,
  work: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  const kernel = await createKernel({}, (options) => ({
    ...options,
    plugins: options.plugins.filter((plugin) => (plugin as Plugin).name !== 'lock-file'),
  }));
  try {
    return await work(kernel);
  } finally {
    await kernel.close();
  }
}
