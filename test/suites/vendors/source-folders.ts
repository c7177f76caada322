import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFolders {
  /** Holds `<provider>.json`, an OpenAPI description each. */
  readonly specs: string;
  /** Holds `providers.yaml`. */
  readonly catalogue: string;
}

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the vendors' descriptions and the catalogue are. Relative paths start at the repository. */
export function sourceFolders(env: Readonly<Record<string, string | undefined>> = process.env): SourceFolders {
  const folder = (name: string, byDefault: string): string => path.resolve(repository, env[name] || byDefault);
  return { specs: folder('TOOLKIT_SPECS', '../shared/specs'), catalogue: folder('TOOLKIT_CATALOGUE', '../shared/catalogue') };
}

/** Says which folder is missing and which variable to set; undefined when both folders are there. */
export function missingSources({ specs, catalogue }: SourceFolders): string | undefined {
  const missing = [
    { variable: 'TOOLKIT_SPECS', file: path.join(specs, 'slack.json'), what: "the vendors' API descriptions (slack.json, github.json, …)" },
    { variable: 'TOOLKIT_CATALOGUE', file: path.join(catalogue, 'providers.yaml'), what: 'the catalogue of tools (providers.yaml)' },
  ].filter(({ file }) => !existsSync(file));
  if (missing.length === 0) return undefined;
  return missing.map(({ variable, file, what }) => `${file} does not exist. Set ${variable} to the folder with ${what}.`).join(' ');
}
