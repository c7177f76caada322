import nodePath from 'node:path';
import type { CallIdentity, IdentityPart } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fileIdentity } from '../../../plugins/shared/bound-files/file-identity.ts';
import { newReadBudget } from '../../../plugins/shared/bound-files/read-budget.ts';
import { checkDefinition, type Finding, headOf, refuseErrors } from '../../../plugins/shared/definition-files/check-definition.ts';
import { type DefinitionFile, writeDefinition } from './write-definition.ts';

interface CreateParameters {
  readonly yaml: string;
  readonly directory: string;
  readonly files: readonly DefinitionFile[];
  readonly overwrite: boolean;
}

interface CreatedTool {
  readonly name: string;
  readonly path: string;
  readonly files: readonly string[];
  readonly warnings: readonly Finding[];
}

/** Writes a valid definition to `<directory>/<name>.yaml`, and the files next to it. Throws INVALID_PARAMETERS with all errors. */
export async function createTool(
  { yaml, directory, files, overwrite }: CreateParameters,
  { tools }: FunctionContext,
): Promise<CreatedTool> {
  const { name } = headOf(yaml);
  const path = nodePath.join(directory, `${name ?? 'tool'}.yaml`);
  const checked = checkDefinition(yaml, tools, { file: path, directory, siblings: files.map((file) => file.name) });
  refuseErrors(checked, name);
  await writeDefinition(directory, [...files, { name: nodePath.basename(path), content: yaml }], overwrite);
  return { name, path, files: files.map((file) => nodePath.join(directory, file.name)), warnings: checked.warnings };
}

/** Returns the existing files that the call would replace. */
export async function identify(
  { yaml, directory, files }: CreateParameters,
  { controlFiles, signal }: FunctionContext,
): Promise<CallIdentity> {
  const names = [`${headOf(yaml).name ?? 'tool'}.yaml`, ...files.map((file) => file.name)].map((name) => nodePath.join(directory, name));
  const budget = newReadBudget();
  const existing = new Map<string, IdentityPart>();
  for (const name of names) {
    const part = await fileIdentity(name, { binds: 'content', controlFiles, signal, budget });
    if (part.shown !== 'nothing') existing.set(name, part);
  }
  return { files: Object.fromEntries(existing) };
}
