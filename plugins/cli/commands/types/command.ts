import type { Command } from '../../../../kernel/index.ts';
import { parsePath } from '../../../shared/flags/values.ts';

/** `toolkit types`: writes parameter and output types of tools for TypeScript or Python. */
export const typesCommand: Command = {
  name: 'types',
  description:
    'Write the types of all tools as a file of declarations: with it, the TypeScript compiler knows the parameters and the output of toolkit.execute(…) and @tool(…). Names that are not in it stay allowed, with any parameters. With --python, a module for mypy and pyright.',
  flags: [
    { flag: '--python', description: 'write a Python module: import Toolkit and AsyncToolkit from it, not from toolkit' },
    {
      flag: '--out <file>',
      description: `the file to write; one that this command did not write is left alone (default: toolkit-tools.d.ts, or toolkit_tools.py)`,
      parse: parsePath,
    },
    { flag: '--check', description: 'write nothing, and end with 1 when the file is out of date' },
    { flag: '--print', description: 'print the declarations, and write no file' },
  ],
  examples: [
    { line: 'toolkit types', does: 'writes toolkit-tools.d.ts, where tsconfig.json finds it beside your sources' },
    { line: 'toolkit types --python', does: 'writes toolkit_tools.py' },
    { line: 'toolkit types --out src/tools.d.ts --check', does: 'in CI: are the types those of the definitions?' },
  ],
  async run(invocation) {
    const { writeTypes } = await import('./write-types.ts');
    const types =
      invocation.flags['python'] === true
        ? (await import('./python/python-module.ts')).pythonModule
        : (await import('./declarations.ts')).declarations;
    await writeTypes(invocation, types, parsePath(String(invocation.flags['out'] ?? types.defaultFile)));
  },
};
