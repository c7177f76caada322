import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { asOnlyWriter } from '../lock/lock-writer.ts';
import { replaceFile } from '../lock/plain-file.ts';
import { schemaPath } from '../project/schema-path.ts';
import { readText, readTextIfThere } from '../text/read-text.ts';
import { codeOf } from './code-value.ts';
import { nested, type OptionEdit } from './option-edit.ts';
import { withOption } from './with-option.ts';

/** The result of a change of the configuration. */
export interface WrittenOption {
  readonly file: string;
  /** Lines that a person has to write, because the form of the file is not surely understood. @default it is written */
  readonly lines?: readonly string[];
}

/**
 * Writes an option of a plugin into the configuration. Without one, writes toolkit.config.yaml into the folder. Commands that run at the same time
 * change the file one after the other.
 */
export async function writeOption(configFile: string | undefined, folder: string, edit: OptionEdit): Promise<WrittenOption> {
  if (configFile !== undefined) {
    const file = await realpath(configFile);
    return asOnlyWriter(file, () => changeConfiguration(file, configFile, edit));
  }
  const file = path.join(folder, 'toolkit.config.yaml');
  return asOnlyWriter(file, async () => {
    // Another command may have written one since this command began.
    if ((await readTextIfThere(file)) !== undefined) return changeConfiguration(await realpath(file), file, edit);
    await replaceFile(file, withOption(newConfiguration(folder), file, edit) ?? '');
    return { file };
  });
}

async function changeConfiguration(file: string, shownFile: string, edit: OptionEdit): Promise<WrittenOption> {
  const text = withOption(await readText(file), file, edit);
  if (text === undefined || !(await isValid(text, file))) return { file: shownFile, lines: linesFor(shownFile, edit) };
  await replaceFile(file, text, (await stat(file)).mode & 0o777);
  return { file: shownFile };
}

/** True unless the text is code that does not parse: then the change was not understood. */
async function isValid(text: string, file: string): Promise<boolean> {
  if (!/\.[cm]?[jt]s$/.test(file)) return true;
  const { installedCompiler } = await import('../code/typescript.ts');
  const { error } = installedCompiler().compile({ source: text, filename: file, ts: /ts$/.test(file) });
  return error === undefined;
}

function newConfiguration(folder: string): string {
  return `# yaml-language-server: $schema=${schemaPath(folder, 'config')}
# What toolkit loads when it is started in this folder: plugins, in this order. toolkit/standard is the preset of all built-in ones.
plugins:
  - toolkit/standard
`;
}

/** Returns the lines to add to the plugins, in the format of the file. */
function linesFor(file: string, { plugin, path: names, value }: OptionEdit): readonly string[] {
  const options = nested(names, value);
  if (/\.[cm]?[jt]s$/.test(file)) return [`${plugin.factory}(${codeOf(options)}), // import { ${plugin.factory} } from '@toolkit/core'`];
  const json = JSON.stringify([plugin.modules[0], options]);
  return [file.endsWith('.json') ? json : `- ${json}`];
}
