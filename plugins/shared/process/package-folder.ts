import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Returns the real folder of a package as a module finds it: links of a package manager are resolved, because Node checks the permission to
 * read after that. Undefined where the module does not find the package. The package must export its package.json.
 */
export function packageFolder(name: string, module: string): string | undefined {
  try {
    return realpathSync(path.dirname(createRequire(module).resolve(`${name}/package.json`)));
  } catch {
    return undefined;
  }
}
