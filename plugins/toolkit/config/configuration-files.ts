import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { findModuleCode } from '../../shared/pinned-code/pinned-code.ts';

/** Maximum number of files of a configuration: it must not include a whole project. */
const maxFiles = 1000;

/** Keeps tools away from the loaded configuration and the modules that it imports. */
export const configurationFiles = definePlugin({
  name: 'configuration-files',
  apiVersion,
  optionsSchema: Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  apply({ extend }, { file }) {
    const parts = filesOf(file);
    // Includes imported modules, and paths where a new file would be imported instead, found as for the handlers of tools.
    const { files, reserved } = findModuleCode(parts.filter(isModule), { trust: 'operator', directory: path.dirname(file) }, new Map());
    const imported = files.flatMap((one) => (one.part === undefined && isModule(one.file) ? [one.file] : []));
    for (const part of new Set([...parts, ...imported, ...reserved])) extend.controlFiles(part, { what: 'the configuration' });
  },
});

/** Returns the file and every code file that a relative path in it names, such as a plugin of the project. */
function filesOf(file: string): readonly string[] {
  const found = new Set([file]);
  for (const part of found) {
    if (found.size > maxFiles) break;
    for (const [name] of readText(part).matchAll(/(?<=^|[\s'"`[(,])\.{1,2}\/[^\s'"`)\],]+/gm)) {
      const moduleFile = resolveModule(path.resolve(path.dirname(part), name));
      if (moduleFile !== undefined) found.add(moduleFile);
    }
  }
  return [...found];
}

function isModule(file: string): boolean {
  return /\.[mc]?[jt]sx?$/.test(file);
}

const extensions = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** Resolves a path as a bundler does: `./x.js` may stand for `x.ts`. */
function resolveModule(target: string): string | undefined {
  const candidates = [...extensions.map((extension) => target + extension), target.replace(/\.js$/, '.ts')];
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
}

function readText(file: string): string {
  // Own text: in which names of files are looked for; another place reads it
  return /\.(?:[mc]?[jt]s|json|ya?ml)$|\.toolkitrc$/.test(file) ? readFileSync(file, 'utf8') : '';
}
