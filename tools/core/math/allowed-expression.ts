import type { MathNode } from 'mathjs';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** What an expression may be made of. Objects, and with them every way to a property or a method, are left out. */
const allowedNodes: ReadonlySet<string> = new Set([
  'AccessorNode',
  'ArrayNode',
  'AssignmentNode',
  'BlockNode',
  'ConditionalNode',
  'ConstantNode',
  'FunctionAssignmentNode',
  'FunctionNode',
  'IndexNode',
  'OperatorNode',
  'ParenthesisNode',
  'RangeNode',
  'RelationalNode',
  'SymbolNode',
]);

/**
 * Functions that read or run expressions, load code, change the calculator or tell about it, and those that look up a property by a text
 * (`print`, `numeric`): none is needed to calculate.
 */
const refusedNames: ReadonlySet<string> = new Set([
  'chain',
  'compile',
  'config',
  'create',
  'createUnit',
  'derivative',
  'evaluate',
  'expression',
  'factory',
  'help',
  'import',
  'leafCount',
  'numeric',
  'parse',
  'parser',
  'print',
  'rationalize',
  'replacer',
  'resolve',
  'reviver',
  'simplify',
  'simplifyConstant',
  'simplifyCore',
  'symbolicEqual',
  'typed',
]);

/**
 * Throws INVALID_PARAMETERS for an expression that does more than calculate. The tree is the place to check: a function can only be reached
 * by its name in the tree, while one that is replaced in math.js is replaced for the functions that stand on it as well.
 */
export function checkAllowed(tree: MathNode): void {
  tree.traverse((node) => {
    const refused = refusedPart(node);
    if (refused === undefined) return;
    const message = `contains ${refused}, which is not allowed`;
    throw new ToolkitError('INVALID_PARAMETERS', `The expression ${message}. Use functions, operators, numbers and matrices only.`, {
      issues: [{ path: 'expression', message }],
    });
  });
}

interface NodeParts {
  readonly type: string;
  readonly name?: string;
  readonly fn?: MathNode;
  readonly index?: { isObjectProperty(): boolean } | null;
}

function refusedPart(node: MathNode): string | undefined {
  const { type, name = '', fn, index } = node as unknown as NodeParts;
  if (!allowedNodes.has(type)) return type === 'ObjectNode' ? 'an object' : `a ${type}`;
  if (type === 'SymbolNode' && refusedNames.has(name)) return `the function "${name}"`;
  // As in a.b, a["b"] and a.b = 1.
  if (index?.isObjectProperty() === true) return 'a property';
  if (type === 'FunctionNode' && fn?.type !== 'SymbolNode')
    return `a call of "${excerpt(String(fn), 60)}", which is not the name of a function`;
  return undefined;
}
