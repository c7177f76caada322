import type { MathNode } from 'mathjs';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** Types of nodes that an expression may have. Objects are left out, and with them every access to a property or a method. */
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
 * Functions that read or run expressions, load code, change or describe the calculator, and those that look up a property by a text (`print`,
 * `numeric`). No calculation needs them.
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
 * Throws INVALID_PARAMETERS for an expression that does more than calculate. Checks the tree, where a function can be reached by its name only.
 * Replacing a function in math.js would also replace it for the functions that use it.
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
