import type { Complete } from '../../../kernel/index.ts';

/** The names of all tools, for the shell. */
export const toolNames: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    return [...kernel.registry.tools.keys()];
  } finally {
    await kernel.close();
  }
};
