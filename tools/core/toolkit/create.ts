import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { writeFile } from '../fs/writing/write.ts';
import { checkYaml, type Finding, nameIn } from './check.ts';

interface CreateParameters {
  readonly yaml: string;
  readonly directory: string;
  readonly overwrite: boolean;
}

interface Created {
  readonly name: string;
  readonly path: string;
  readonly warnings: readonly Finding[];
}

/** Writes a definition that has no errors to `<directory>/<name>.yaml`. Throws INVALID_PARAMETERS with all of them otherwise. */
export async function createTool({ yaml, directory, overwrite }: CreateParameters, { tools }: FunctionContext): Promise<Created> {
  const name = nameIn(yaml);
  const path = nodePath.join(directory, `${name ?? 'tool'}.yaml`);
  const { errors, warnings } = checkYaml(yaml, tools, { file: path, directory });
  if (errors.length > 0 || name === undefined) throw invalid(errors);
  await writeFile({ path, content: yaml, encoding: 'utf8', create_directories: true, if_exists: overwrite ? 'overwrite' : 'fail' });
  return { name, path, warnings };
}

function invalid(errors: readonly Finding[]): ToolkitError {
  const told = errors
    .slice(0, 5)
    .map(({ line, column, path, message }) => `${line ?? 0}:${column ?? 0} ${path === '' ? '' : `${path}: `}${message}`);
  const more = errors.length > told.length ? `; and ${errors.length - told.length} more` : '';
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `The definition has ${errors.length} errors and was not written: ${excerpt(told.join('; '), 1000)}${more}`,
    {
      issues: errors.map(({ path, message }) => ({ path: path === '' ? 'yaml' : `yaml.${path}`, message })),
    },
  );
}
