import type { JsonValue } from './json.ts';

/**
 * What is known of tools when a program is compiled, by name. Empty here: files that are generated from definitions add to it, and so may you.
 * @example
 *     declare module '@toolkit/core' {
 *       interface ToolTypes {
 *         text_reverse: { parameters: { text: string }; output: string };
 *       }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: declarations elsewhere merge with it.
export interface ToolTypes {}

/** The names of tools that are known when the program is compiled; every other name is taken as well. */
export type ToolName = keyof ToolTypes | (string & {});

/** The parameters of a tool: any, where its types are not known. */
export type ParametersOf<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name] extends { parameters: infer Parameters }
    ? Parameters
    : Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>>;

/** The output of a tool: any JSON, where its types are not known. */
export type OutputOf<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name] extends { output: infer Output }
    ? Output
    : JsonValue
  : JsonValue;

/** What follows the name in a call. The parameters may be left out where none is required. */
export type ToolArguments<Name extends string, Options> =
  Record<never, never> extends ParametersOf<Name>
    ? [parameters?: ParametersOf<Name>, options?: Options]
    : [parameters: ParametersOf<Name>, options?: Options];

/** The same for options that have to be given. */
export type DurableArguments<Name extends string, Options> =
  Record<never, never> extends ParametersOf<Name>
    ? [parameters: ParametersOf<Name> | undefined, options: Options]
    : [parameters: ParametersOf<Name>, options: Options];
