import type { Locate } from './problem.ts';

/** An installed package with tools. */
export interface OriginPackage {
  readonly name: string;
  /** Names of secrets that the operator allows, besides those that its provider file declares. */
  readonly secrets: readonly string[];
  /** True when the package is installed next to this program but not declared by the project. @default false */
  readonly isUndeclared?: boolean;
}

/** The limits of a source (`extend.source`) for its definitions. */
export interface OriginSource {
  readonly name: string;
  /** Execution types that its tools may have. */
  readonly executionTypes: readonly string[];
  /** Names of secrets that its tools may use, besides those that begin with its own name. */
  readonly secrets: readonly string[];
  /** Origins of the operator's URLs, such as `https://api.shop.example`. */
  readonly urlOrigins: readonly string[];
}

/** The origin of a definition. `operator`: the operator's own file or configuration. `package`: an installed package. */
export interface Origin {
  readonly plugin: string;
  readonly trust: 'operator' | 'package';
  /** The package of the definition. Absent for definitions of this program or of a plugin. */
  readonly package?: OriginPackage;
  /** The source of the definition. */
  readonly source?: OriginSource;
  /** True for a tool of this program: no other definition may replace it. @default false */
  readonly isBuiltIn?: boolean;
  /** True for a tool that serves the results of all others: listed with any tools unless excluded by name, and never counted. @default false */
  readonly isCompanion?: boolean;
  /** True for a provider without tools that comes with a program: it gives way to any other of its name, and reserves no names. @default false */
  readonly isPreset?: boolean;
  /** The configured folder or file in which the definition was found. */
  readonly root?: string;
  readonly file?: string;
  /** Base folder of relative paths in the definition. */
  readonly directory?: string;
  /** Names of files that will be written to `directory` with the definition, for a check before writing. */
  readonly siblings?: readonly string[];
  readonly locate?: Locate;
  /** True for a definition that no person has accepted, such as a model's: it must not learn which files exist outside its directory. @default false */
  readonly isProposed?: boolean;
}
