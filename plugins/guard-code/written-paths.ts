import type { Call } from '../../kernel/index.ts';

/** Returns the absolute paths that a call will write to, as far as its parameters declare them (`path: write`). */
export function writtenPaths({ tool, parameters }: Pick<Call, 'tool' | 'parameters'>): readonly string[] {
  return Object.entries(tool.parameters).flatMap(([name, { path }]) => {
    const value = path === 'write' ? parameters[name] : undefined;
    return [value].flat().filter((one) => typeof one === 'string');
  });
}
