/** A kind of fact that plugins state about their configuration. Kinds with the same name are one kind, also from two copies of a module. */
export interface FactKind<T> {
  readonly name: string;
  /** Carries the type of the value. Never set. */
  readonly value?: T;
}

/** A fact, and the plugin that stated it. */
export interface Fact<T> {
  readonly plugin: string;
  readonly value: T;
}

/**
 * Defines a kind of fact. The plugin that owns an option states it (`extend.fact`), and others read it (`kernel.facts`), so that no plugin
 * reads the options of another one.
 * @example const folders = defineFact<{ readonly paths: readonly string[] }>('folders of tools');
 */
export function defineFact<T>(name: string): FactKind<T> {
  return { name };
}

/** The facts of all plugins, by kind, in the order of the plugins. */
export class Facts {
  readonly #byKind = new Map<string, Fact<unknown>[]>();

  add<T>(plugin: string, { name }: FactKind<T>, value: T): void {
    const known = this.#byKind.get(name) ?? [];
    this.#byKind.set(name, [...known, { plugin, value }]);
  }

  of<T>({ name }: FactKind<T>): readonly Fact<T>[] {
    return (this.#byKind.get(name) ?? []) as readonly Fact<T>[];
  }
}
