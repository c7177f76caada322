import { applyEdits, findNodeAtLocation, getNodeValue, modify, type ParseError, parseTree } from 'jsonc-parser';
import { nested, type OptionEdit } from './option-edit.ts';

/** Does the work of `withOption` for JSON. `at`: the path of the plugins. */
export function withOptionInJson(text: string, at: readonly string[], { plugin, path, value }: OptionEdit): string | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const plugins = root === undefined ? undefined : findNodeAtLocation(root, [...at]);
  if (errors.length > 0 || plugins?.type !== 'array') return undefined;
  const items = getNodeValue(plugins) as unknown[];
  const index = items.findIndex((item) => plugin.modules.includes(String(Array.isArray(item) ? item[0] : item)));
  const item = items[index];
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const edited = (place: readonly (string | number)[], written: unknown, isArrayInsertion = false): string =>
    applyEdits(text, modify(text, [...place], written, { formattingOptions, isArrayInsertion }));
  if (value === undefined) {
    const found = root === undefined ? undefined : findNodeAtLocation(root, [...at, index, 1, ...path]);
    return found === undefined ? undefined : edited([...at, index, 1, ...path], undefined);
  }
  if (item === undefined) return edited([...at, items.length], [plugin.modules[0], nested(path, value)], true);
  if (typeof item === 'string') return edited([...at, index], [item, nested(path, value)]);
  if (Array.isArray(item) && item.length === 2) return edited([...at, index, 1, ...path], value);
  return undefined;
}
