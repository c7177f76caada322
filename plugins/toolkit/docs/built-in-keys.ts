import { createKernel, createLogger, type KeyScope } from '../../../kernel/index.ts';
import { standard } from '../standard.ts';

/** The generated file, relative to the folder of package.json. */
export const builtInKeysFile = 'plugins/shared/definition-files/built-in-keys.ts';

/** Keys of the kernel's own schema, which plugins only enforce. */
const kernelKeys = ['requires_approval', 'output_schema'];

/**
 * Keys that only add to what a person sees. They are not reserved, so that a definition loads with a warning where their plugin is missing: without the
 * key it is as safe.
 */
export const additionalKeys: readonly string[] = ['preview'];

/** Returns the text of the file with the definition keys of the standard plugins. */
export async function builtInKeysText(): Promise<string> {
  const kernel = await createKernel({
    // Without the plugins that reserve the keys of the file as it is.
    plugins: standard({ includeCore: false, autoDiscover: false }).filter(({ name }) => name !== 'tool-files'),
    logger: createLogger({ level: 'silent' }),
  });
  const { scopes } = kernel.linkOptions.keys;
  await kernel.close();
  const lines = [...scopes]
    .filter(([name]) => ![...kernelKeys, ...additionalKeys].includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, scope]) => `  ${name}: ${scopeText(scope)},`);
  return [
    '/** Definition keys of the standard plugins, by name. Written by `npm run docs`. */',
    'export const builtInKeys = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}

function scopeText({ on, executionTypes }: KeyScope): string {
  const members = [
    ...(on === undefined ? [] : [`on: '${on}'`]),
    ...(executionTypes === undefined ? [] : [`executionTypes: [${executionTypes.map((type) => `'${type}'`).join(', ')}]`]),
  ];
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
