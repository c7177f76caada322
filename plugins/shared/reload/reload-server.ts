import { type Kernel, messageOf, sentence } from '../../../kernel/index.ts';

/**
 * Reloads the kernel of a server, and logs the changes. `because`: the trigger, such as `SIGHUP`. `code`: as for `kernel.reload`. Never
 * throws: a failure is logged, and everything loaded before stays.
 */
export async function reloadServer(kernel: Kernel, because: string, options: { readonly code: boolean }): Promise<void> {
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
    logger.error(`${sentence(`Not reloaded (requested by ${because}): ${messageOf(error)}`)} What was loaded before stays.`);
  }
}

/** Returns a fingerprint of each tool and provider, and the text of each skill, by name. */
async function statesOf(kernel: Kernel): Promise<ReadonlyMap<string, string>> {
  const skills = [...kernel.registry.skills.values()].map(({ name, text }) => [`skill ${name}`, text] as const);
  return new Map([...(await kernel.fingerprints()), ...skills]);
}
