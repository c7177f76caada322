import { existsSync } from 'node:fs';
import { type Command, ToolkitError } from '../../../kernel/index.ts';
import { displayPath } from '../../shared/terminal/display-path.ts';
import { paintDiff } from '../../shared/terminal/paint-diff.ts';
import { visibleText } from '../../shared/text/visible-text.ts';

/** `toolkit migrate`: shows definitions of the earlier system in the keys of toolkit. */
export const migrateCommand: Command = {
  name: 'migrate',
  description:
    'Show a patch that converts definitions of an earlier system to the keys of toolkit: execution.timeout, error_handling, examples[].params, username_env and so on. They also load unconverted; nothing is written.',
  arguments: [{ name: '<folder>', description: 'folder with definitions, or one file', parse: existingPath }],
  examples: [
    { line: 'toolkit migrate ./tools', does: 'what would change' },
    { line: 'toolkit migrate ./tools | patch -p0', does: 'changes the files' },
  ],
  async run({ arguments: [root = ''], terminal, write, note }) {
    const { migrateFolder } = await import('./migrate-folder.ts');
    const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
    const { changed, unchanged, broken } = await migrateFolder(root);
    for (const { file, before, after } of changed) {
      const name = displayPath(file, process.cwd());
      const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3, headerOptions: FILE_HEADERS_ONLY });
      write(terminal.isTerminal ? paintDiff(terminal, patch.trimEnd().split('\n')) : patch.replace(/\n*$/, '\n'));
    }
    for (const line of broken.flat()) note(`${visibleText(line)}\n`);
    note(`${changed.length} of ${changed.length + unchanged + broken.length} files would change, ${broken.length} cannot be read.\n`);
    if (changed.length > 0)
      note('"toolkit validate" says what else there is to do. Nothing was written: patch -p0 applies the printed patch.\n');
    if (broken.length > 0)
      throw new ToolkitError('TOOL_INVALID', `${broken.length} files cannot be read. Correct them, then migrate again.`);
  },
};

function existingPath(value: string): string {
  if (existsSync(value)) return value;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `There is no folder or file ${JSON.stringify(value)}. Name the folder with the definitions.`,
  );
}
