import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sealed, unsealed } from '../host-cache/sealed.ts';
import { build } from '../project/build.ts';
import { codeRoot } from '../project/layout.ts';
import { KeptForms } from './kept-forms.ts';
import type { ManifestName } from './manifest.ts';

/**
 * Reads the link cache that the build made of its own definition files, with the standard plugins. It holds for this build and schema
 * version only. Empty when it is missing.
 */
export function builtForms(name: ManifestName, language: string): KeptForms {
  try {
    return new KeptForms(unsealed(keyOf(language), readFileSync(fileOf(name))));
  } catch {
    return new KeptForms();
  }
}

export async function writeForms(name: ManifestName, language: string, forms: KeptForms): Promise<void> {
  await writeFile(fileOf(name), sealed(keyOf(language), Buffer.concat(await forms.content())));
}

function fileOf(name: ManifestName): string {
  return path.join(codeRoot(), 'manifests', `${name}.forms`);
}

function keyOf(language: string): string {
  return `forms ${build} ${language}`;
}
