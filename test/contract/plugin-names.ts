import { parseSource } from '../../plugins/toolkit/docs/parse-source.ts';

/** A place where code depends on a plugin by its name. */
export interface NameUse {
  readonly file: string;
  readonly line: number;
  /** The plugin. */
  readonly name: string;
}

/** A node of the syntax tree, with whatever members it has. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [member: string]: unknown;
}

/** Returns the names of the plugins that a source defines by `definePlugin`. */
export function definedPlugins(text: string): readonly string[] {
  const names: string[] = [];
  walk(programOf(text), (node) => {
    if (node.type !== 'CallExpression' || !/(^|\.)definePlugin$/.test(textOf(text, node['callee']))) return;
    for (const given of nodesIn(node['arguments']))
      for (const { key, value } of nodesIn(given['properties']))
        if (textOf(text, key) === 'name') names.push(...[literal(value)].filter((name) => name !== undefined));
  });
  return names;
}

/**
 * Finds the places of a source that depend on one of these plugins by name. A name of several words counts wherever it is a whole text. A name of
 * one word is also an ordinary word: it counts as a key, in a comparison with a plugin or its name, and in a look-up in plugins or their options.
 */
export function nameUses(file: string, text: string, names: ReadonlySet<string>): readonly NameUse[] {
  const constants = new Map<string, string>();
  const nameIn = (node: unknown): string | undefined => {
    const plain = isNode(node) && node.type === 'TSAsExpression' ? node['expression'] : node;
    const found = literal(plain) ?? (isNode(plain) && plain.type === 'Identifier' ? constants.get(String(plain['name'])) : undefined);
    return found !== undefined && names.has(found) ? found : undefined;
  };
  const uses = new Map<string, NameUse>();
  walk(programOf(text), (node) => {
    if (node.type === 'VariableDeclarator') {
      const name = nameIn(node['init']);
      if (name !== undefined && isNode(node['id'])) constants.set(String(node['id']['name']), name);
    }
    const own = literal(node);
    const name = own?.includes('-') === true ? nameIn(node) : wordUse(node, text, nameIn);
    const { line } = node.loc.start;
    if (name !== undefined) uses.set(`${line} ${name}`, { file, line, name });
  });
  return [...uses.values()];
}

/** A quick test for a text that may depend on a plugin by name. */
export function mayName(text: string, name: string): boolean {
  return new RegExp(`['"\`]${name}['"\`]|[{,]\\s*${name}\\s*[:,}]`).test(text);
}

/** Returns the name that a node depends on by its form. */
function wordUse(node: Node, text: string, nameIn: (node: unknown) => string | undefined): string | undefined {
  const one = (...nodes: readonly unknown[]): string | undefined => nodes.map(nameIn).find((name) => name !== undefined);
  switch (node.type) {
    case 'ObjectExpression':
      return nodesIn(node['properties'])
        .map((property) => keyUse(property, nameIn))
        .find((name) => name !== undefined);
    case 'BinaryExpression':
      if (!/^[!=]==?$/.test(String(node['operator']))) return undefined;
      return [node['left'], node['right']].some((side) => isPluginText(textOf(text, side))) ? one(node['left'], node['right']) : undefined;
    case 'SwitchStatement':
      if (!isPluginText(textOf(text, node['discriminant']))) return undefined;
      return one(...nodesIn(node['cases']).map(({ test }) => test));
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node['computed'] === true && holdsPlugins(textOf(text, node['object'])) ? nameIn(node['property']) : undefined;
    case 'CallExpression':
    case 'OptionalCallExpression':
      return holdsPlugins(textOf(text, node['callee'])) ? one(...nodesIn(node['arguments'])) : undefined;
    default:
      return undefined;
  }
}

/** Returns the name that is the key of a member. A word counts where the value may be an object, as options are. */
function keyUse({ type, key, computed, value }: Node, nameIn: (node: unknown) => string | undefined): string | undefined {
  if (type !== 'ObjectProperty') return undefined;
  if (computed === true || literal(key) !== undefined) return nameIn(key);
  const mayBeOptions = isNode(value) && /^(Object|Conditional)Expression$|^Identifier$/.test(value.type);
  return mayBeOptions && isNode(key) ? nameIn({ ...key, type: 'StringLiteral', value: key['name'] }) : undefined;
}

function programOf(text: string): unknown {
  return parseSource(text, 'source.ts').program;
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  if (!isNode(node)) return;
  visit(node);
  for (const [member, value] of Object.entries(node)) if (!/Comments$|^loc$/.test(member)) walk(value, visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'loc' in value;
}

function nodesIn(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the value of a text, also of a template without placeholders. */
function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return String(node['value']);
  const [only, ...more] = node.type === 'TemplateLiteral' ? nodesIn(node['quasis']) : [];
  return only !== undefined && more.length === 0 ? (only['value'] as { readonly cooked: string }).cooked : undefined;
}

function textOf(text: string, node: unknown): string {
  return isNode(node) ? text.slice(node.start, node.end) : '';
}

/** True for `name`, `plugin`, `one.name` and the like. */
function isPluginText(text: string): boolean {
  return /(^|\.)(name|plugin)$/i.test(text);
}

/** True for what is named after plugins, their options or overrides: `optionsOf`, `plugins.get`, `overrides`. */
function holdsPlugins(text: string): boolean {
  return /^[^\n(]*(plugin|optionsOf|overrides)/i.test(text);
}
