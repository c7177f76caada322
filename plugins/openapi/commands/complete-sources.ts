import type { Complete } from '../../../kernel/index.ts';
import { configuredSources } from './without-sources.ts';

/** Completes the name of a source of the configuration. */
export const completeSources: Complete = async ({ createKernel }) => {
  let names: readonly string[] = [];
  const kernel = await createKernel({}, (options) => {
    names = Object.keys(configuredSources(options.plugins));
    return options;
  });
  await kernel.close();
  return names;
};
