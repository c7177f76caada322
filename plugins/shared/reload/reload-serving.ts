import { type Kernel, messageOf, sentence } from '../../../kernel/index.ts';

/**
 * Has the kernel of a server read again what the operator wrote, and says in the log what that did. `because`: what asked for it, such as
 * `SIGHUP`. `code`: as of `kernel.reload`. Does not throw: what cannot be loaded is logged, and what was loaded before stays.
 */
export async function reloadServing(kernel: Kernel, because: string, options: { readonly code: boolean }): Promise<void> {
  const { logger } = kernel;
  try {
    const before = await statesOf(kernel);
    await kernel.reload(options);
    const after = await statesOf(kernel);
    const added = [...after.keys()].filter((name) => !before.has(name)).length;
    const removed = [...before.keys()].filter((name) => !after.has(name)).length;
    const changed = [...after].filter(([name, state]) => before.has(name) && before.get(name) !== state).length;
    logger.info(`reloaded because of ${because}: ${changed} changed, ${added} added, ${removed} removed`);
  } catch (error) {
    logger.error(`${sentence(`Not reloaded, as asked by ${because}: ${messageOf(error)}`)} What was loaded before stays.`);
  }
}

/** Of each tool, provider and skill a text that is another one when it is. */
async function statesOf(kernel: Kernel): Promise<ReadonlyMap<string, string>> {
  const skills = [...kernel.registry.skills.values()].map(({ name, text }) => [`skill ${name}`, text] as const);
  return new Map([...(await kernel.marks()), ...skills]);
}
