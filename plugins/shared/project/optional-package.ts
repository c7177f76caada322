import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';

/** Imports an optional package for a plugin. Throws DEPENDENCY_MISSING when it is not installed or does not load. */
export async function optionalPackage<T>(plugin: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(`'${name}'`);
    const why = isAbsent ? 'is not installed' : `does not load (${excerpt(messageOf(error))})`;
    throw new ToolkitError(
      'DEPENDENCY_MISSING',
      `${plugin} needs the package ${name}, which ${why}. Run: npm install ${name}`,
      { package: name },
      { cause: error },
    );
  }
}
