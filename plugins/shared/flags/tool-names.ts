import type { Complete } from '../../../kernel/index.ts';

/** Completes tool names in a shell. */
export const toolNames: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    return [...kernel.registry.tools.keys()];
  } finally {
    await kernel.close();
  }
};
