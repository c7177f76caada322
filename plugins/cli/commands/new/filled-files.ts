import path from 'node:path';
import { fillTemplate, type TemplateValues } from './fill-template.ts';
import type { ToolFile } from './tool-files.ts';

/** Fills several templates with the same values. Each item: template, name of the file, and its purpose. */
export function filledFiles(
  folder: string,
  values: TemplateValues,
  files: readonly (readonly [template: string, name: string, what: string])[],
): Promise<readonly ToolFile[]> {
  return Promise.all(
    files.map(async ([template, name, what]) => ({ file: path.join(folder, name), text: await fillTemplate(template, values), what })),
  );
}
