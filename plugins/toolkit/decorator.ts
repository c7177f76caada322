import { describeValue, type OutputOf, type ParametersOf, ToolkitError, type ToolTypes } from '../../kernel/index.ts';

/** What a decorated method calls its tool with: a `Toolkit`, a kernel, or an object of yours that adds caller, credentials or a signal. */
export interface ToolCaller {
  execute(tool: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** What a decorated method may be given: the parameters, or nothing where none is required. */
type Given<Name extends string> =
  Record<never, never> extends ParametersOf<Name> ? [parameters?: ParametersOf<Name>] : [parameters: ParametersOf<Name>];

/** What any method looks like. */
type Method = (...given: never) => unknown;

/** Nothing where a call of the tool can stand in for the method. Where the types of the tool are not known, those of the method are believed. */
type Fitting<Name extends string, M extends Method> = M extends (...given: infer Own) => Promise<infer Result>
  ? Name extends keyof ToolTypes
    ? Own extends Given<Name>
      ? OutputOf<Name> extends Result
        ? unknown
        : { readonly 'the tool gives another result': OutputOf<Name> }
      : { readonly 'the tool takes other parameters': Given<Name> }
    : unknown
  : { readonly 'a call of a tool gives a promise': never };

/** Takes both ways of calling decorators: that of the standard (stage 3), and that of `experimentalDecorators`, which jiti and NestJS have. */
export interface ToolDecorator<Name extends string> {
  <M extends Method>(method: M, context: ClassMethodDecoratorContext & Fitting<Name, M>): M;
  <M extends Method>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M> & Fitting<Name, M>): void;
}

/**
 * Replaces a method of a class with a call of the tool: its one argument is the object of parameters, its result a promise of the output. What
 * stands in the method never runs. The tool is called with the property `toolkit` of the object that the method belongs to; `toolkit.tool(name)`
 * is the same for one toolkit. The first call of an unknown tool throws TOOL_NOT_FOUND; a decorator that stands elsewhere CONFIG_INVALID.
 * @example
 *     class Texts {
 *       constructor(readonly toolkit: Toolkit) {}
 *       @tool('text_reverse')
 *       reverse(_parameters: { text: string }): Promise<string> {
 *         throw new Error('replaced by the tool');
 *       }
 *     }
 */
export function tool<Name extends string>(name: Name): ToolDecorator<Name> {
  return toolDecorator(name, (owner, method) => {
    const caller = (owner as { readonly toolkit?: Partial<ToolCaller> } | null | undefined)?.toolkit;
    if (typeof caller?.execute === 'function') return caller as ToolCaller;
    throw misused(
      name,
      `${method} finds no toolkit to call the tool with: expected a property "toolkit" of the object it belongs to, not a #private one, with what Toolkit.init() gives, received ${describeValue(caller)}. Set it, or decorate with "@toolkit.tool('${name}')"`,
    );
  });
}

/** The decorator for methods that call the tool with what `callerOf` gives for their `this`. */
export function toolDecorator<Name extends string>(
  name: Name,
  callerOf: (owner: unknown, method: string) => ToolCaller,
): ToolDecorator<Name> {
  const replacing = (method: unknown, key: string): Method => {
    if (typeof method !== 'function') throw misplaced(name, key, describeValue(method));
    if (method.length > 1)
      throw misused(name, `${key} takes ${method.length} arguments: expected one, the object with the parameters of the tool`);
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
  return ((target: unknown, place: unknown, descriptor?: unknown) => {
    if (isContext(place)) {
      if (place.kind === 'method') return replacing(target, String(place.name));
      throw misplaced(name, place.kind === 'class' ? 'a class' : String(place.name), `a ${place.kind}`);
    }
    if (place === undefined) throw misplaced(name, 'a class', 'a class');
    // jiti 2 hands over the target where the descriptor belongs, unless Reflect.metadata is there.
    const given = descriptor === target ? Object.getOwnPropertyDescriptor(target, place as PropertyKey) : descriptor;
    if (typeof given !== 'object' || given === null || !('value' in given)) throw misplaced(name, String(place), 'a field or accessor');
    return { ...given, value: replacing(given.value, String(place)) };
  }) as ToolDecorator<Name>;
}

/** The second argument of a decorator of the standard. */
function isContext(place: unknown): place is { readonly kind: string; readonly name?: string | symbol } {
  return typeof place === 'object' && place !== null && 'kind' in place;
}

function misplaced(tool: string, where: string, received: string): ToolkitError {
  return misused(tool, `it stands on ${where}: expected a method, received ${received}. Put it on a method`);
}

function misused(tool: string, problem: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The decorator @tool('${tool}') cannot be used: ${problem}.`, { tool });
}
