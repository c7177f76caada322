import path from 'node:path';
import { fillTemplate, type TemplateValues } from './fill-template.ts';
import type { ToolFile } from './tool-files.ts';

/** Files of a folder from templates with the same values: template, name of the file, and what it is. */
export function filledFiles(
  folder: string,
  values: TemplateValues,
  files: readonly (readonly [template: string, name: string, what: string])[],
): Promise<readonly ToolFile[]> {
  return Promise.all(
    files.map(async ([template, name, what]) => ({ file: path.join(folder, name), text: await fillTemplate(template, values), what })),
  );
}
