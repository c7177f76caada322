import type { JsonValue } from '../json/json.ts';

/**
 * The types of tools by name, known to the compiler. Empty here; files generated from definitions add to it, and so may you.
 * @example
 * declare module '@toolkit/core' {
 * interface ToolTypes {
 * text_reverse: { parameters: { text: string }; output: string };
 * }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: declarations elsewhere merge with it.
export interface ToolTypes {}

/** The names of tools known to the compiler. Any other name is accepted too. */
export type ToolName = keyof ToolTypes | (string & {});

/** The parameters of a tool; any without known types. */
export type ParametersOf<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name] extends { parameters: infer Parameters }
    ? Parameters
    : Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>>;

/** The output of a tool; any JSON without known types. */
export type OutputOf<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name] extends { output: infer Output }
    ? Output
    : JsonValue
  : JsonValue;

/** The arguments after the name in a call. Parameters may be omitted if none is required. */
export type ToolArguments<Name extends string, Options> =
  Record<never, never> extends ParametersOf<Name>
    ? [parameters?: ParametersOf<Name>, options?: Options]
    : [parameters: ParametersOf<Name>, options?: Options];

/** The same arguments with required options. */
export type DurableArguments<Name extends string, Options> =
  Record<never, never> extends ParametersOf<Name>
    ? [parameters: ParametersOf<Name> | undefined, options: Options]
    : [parameters: ParametersOf<Name>, options: Options];
