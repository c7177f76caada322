import { describeValue, type OutputOf, type ParametersOf, ToolkitError, type ToolTypes } from '../../kernel/index.ts';

/** Runs the tool of a decorated method: a `Toolkit`, a kernel, or an object that adds caller, credentials or a signal. */
export interface ToolCaller {
  execute(tool: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Arguments of a decorated method: the parameters; optional when none is required. */
type MethodArguments<Name extends string> =
  Record<never, never> extends ParametersOf<Name> ? [parameters?: ParametersOf<Name>] : [parameters: ParametersOf<Name>];

/** Any method. */
type Method = (...given: never) => unknown;

/**
 * `unknown` when a call of the tool can replace the method, else a type that names the problem. Without types of the tool, any parameters and result
 * are accepted.
 */
type MatchingMethod<Name extends string, M extends Method> = M extends (...given: infer Own) => Promise<infer Result>
  ? Name extends keyof ToolTypes
    ? Own extends MethodArguments<Name>
      ? OutputOf<Name> extends Result
        ? unknown
        : { readonly 'the tool gives another result': OutputOf<Name> }
      : { readonly 'the tool takes other parameters': MethodArguments<Name> }
    : unknown
  : { readonly 'a call of a tool gives a promise': never };

/** Supports both forms of decorators: the standard (stage 3), and `experimentalDecorators`, used by jiti and NestJS. */
export interface ToolDecorator<Name extends string> {
  <M extends Method>(method: M, context: ClassMethodDecoratorContext & MatchingMethod<Name, M>): M;
  <M extends Method>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M> & MatchingMethod<Name, M>): void;
}

/**
 * Replaces a method of a class by a call of the tool: its argument is the object of parameters, its result a promise of the output. The body of the
 * method never runs. The call uses the property `toolkit` of the method's object; `toolkit.tool(name)` always uses that one toolkit. The first
 * call of an unknown tool throws TOOL_NOT_FOUND; a decorator on anything but a method throws CONFIG_INVALID.
 * @example
 * class Texts {
 * constructor(readonly toolkit: Toolkit) {}
 * @tool('text_reverse')
 * reverse(_parameters: { text: string }): Promise<string> {
 * throw new Error('replaced by the tool');
 * }
 * }
 */
export function tool<Name extends string>(name: Name): ToolDecorator<Name> {
  return toolDecorator(name, (owner, method) => {
    const caller = (owner as { readonly toolkit?: Partial<ToolCaller> } | null | undefined)?.toolkit;
    if (typeof caller?.execute === 'function') return caller as ToolCaller;
    throw decoratorError(
      name,
      `${method} finds no toolkit to call the tool with: expected a property "toolkit" of the object it belongs to, not a #private one, with what Toolkit.init() gives, received ${describeValue(caller)}. Set it, or decorate with "@toolkit.tool('${name}')"`,
    );
  });
}

/** Returns the decorator of methods that call the tool. `callerOf` returns the caller for the `this` of a method. */
export function toolDecorator<Name extends string>(
  name: Name,
  callerOf: (owner: unknown, method: string) => ToolCaller,
): ToolDecorator<Name> {
  const createReplacement = (method: unknown, key: string): Method => {
    if (typeof method !== 'function') throw misplacedError(name, key, describeValue(method));
    if (method.length > 1)
      throw decoratorError(name, `${key} takes ${method.length} arguments: expected one, the object with the parameters of the tool`);
    return {
      async [key](this: unknown, parameters: unknown = {}): Promise<unknown> {
        if (typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters))
          return callerOf(this, key).execute(name, parameters as Readonly<Record<string, unknown>>);
        const message = `expected one object with the parameters of the tool, received ${describeValue(parameters)}`;
        throw new ToolkitError('INVALID_PARAMETERS', `The method ${key} calls the tool "${name}": ${message}.`, {
          tool: name,
          issues: [{ path: '', message }],
        });
      },
    }[key] as Method;
  };
  return ((target: unknown, keyOrContext: unknown, descriptor?: unknown) => {
    if (isContext(keyOrContext)) {
      if (keyOrContext.kind === 'method') return createReplacement(target, String(keyOrContext.name));
      throw misplacedError(name, keyOrContext.kind === 'class' ? 'a class' : String(keyOrContext.name), `a ${keyOrContext.kind}`);
    }
    if (keyOrContext === undefined) throw misplacedError(name, 'a class', 'a class');
    // jiti 2 passes the target in place of the descriptor, unless Reflect.metadata exists.
    const methodDescriptor = descriptor === target ? Object.getOwnPropertyDescriptor(target, keyOrContext as PropertyKey) : descriptor;
    if (typeof methodDescriptor !== 'object' || methodDescriptor === null || !('value' in methodDescriptor))
      throw misplacedError(name, String(keyOrContext), 'a field or accessor');
    return { ...methodDescriptor, value: createReplacement(methodDescriptor.value, String(keyOrContext)) };
  }) as ToolDecorator<Name>;
}

/** True for the second argument of a standard decorator. */
function isContext(value: unknown): value is { readonly kind: string; readonly name?: string | symbol } {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function misplacedError(tool: string, location: string, received: string): ToolkitError {
  return decoratorError(tool, `it decorates ${location}: expected a method, received ${received}. Put it on a method`);
}

function decoratorError(tool: string, problem: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The decorator @tool('${tool}') cannot be used: ${problem}.`, { tool });
}
