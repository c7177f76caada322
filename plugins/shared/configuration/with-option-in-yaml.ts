import { yaml } from '../definition-files/yaml-library.ts';
import { nested, type OptionEdit } from './option-edit.ts';

/** Does the work of `withOption` for YAML. */
export function withOptionInYaml(text: string, { plugin, path, value }: OptionEdit): string | undefined {
  const { isMap, isScalar, isSeq, parseDocument } = yaml();
  const document = parseDocument(text, { prettyErrors: false });
  const plugins = document.get('plugins', true);
  if (document.errors.length > 0 || !isMap(document.contents) || !isSeq(plugins)) return undefined;
  const nameOf = (item: unknown): unknown =>
    isScalar(item) ? item.value : isSeq(item) && isScalar(item.items[0]) ? item.items[0].value : undefined;
  const index = plugins.items.findIndex((item) => plugin.modules.includes(String(nameOf(item))));
  const item = plugins.items[index];
  if (value === undefined) {
    const found = ['plugins', index, 1, ...path];
    if (document.getIn(found) === undefined) return undefined;
    document.deleteIn(found);
    return document.toString({ lineWidth: 0 });
  }
  if (item === undefined) plugins.add(document.createNode([plugin.modules[0], nested(path, value)]));
  else if (isScalar(item)) plugins.set(index, document.createNode([item.value, nested(path, value)]));
  else if (isSeq(item) && isMap(item.items[1])) document.setIn(['plugins', index, 1, ...path], document.createNode(value));
  else return undefined;
  return document.toString({ lineWidth: 0 });
}
