import path from 'node:path';
import type { OptionEdit } from './option-edit.ts';
import { withOptionInCode } from './with-option-in-code.ts';
import { withOptionInJson } from './with-option-in-json.ts';
import { withOptionInYaml } from './with-option-in-yaml.ts';

/**
 * Returns the text of a configuration with this option of the plugin, which is listed where it is not yet. All other text stays, comments included.
 * Without a value it is removed. Undefined when the form of the file is not surely understood: then a person has to write it.
 */
export function withOption(text: string, file: string, edit: OptionEdit): string | undefined {
  if (/\.[cm]?[jt]s$/.test(file)) return edit.value === undefined ? undefined : withOptionInCode(text, edit);
  if (path.basename(file) === 'package.json') return withOptionInJson(text, ['toolkit', 'plugins'], edit);
  if (file.endsWith('.json')) return withOptionInJson(text, ['plugins'], edit);
  return withOptionInYaml(text, edit);
}
