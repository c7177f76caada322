import { type JsonValue, readJson } from '../../../kernel/index.ts';

/** Returns the data of a template: a text that is a JSON object or list is taken for what it says, any other value for itself. */
export function readData(data: JsonValue): JsonValue {
  if (typeof data !== 'string' || !/^\s*[[{]/.test(data)) return data;
  try {
    const value = readJson(data) as JsonValue;
    return typeof value === 'object' && value !== null ? value : data;
  } catch {
    return data;
  }
}

/** The data that a tag of a template sees: that of its section, then that around it. Only what the data itself has can be reached. */
export class TemplateData {
  readonly #view: unknown;
  readonly #parent: TemplateData | undefined;

  constructor(view: unknown, parent?: TemplateData) {
    this.#view = view;
    this.#parent = parent;
  }

  push(view: unknown): TemplateData {
    return new TemplateData(view, this);
  }

  /**
   * Returns the value of a name; undefined when it has none. `a.b` is member b of the nearest a, also where a farther a has a b (Mustache
   * specification, Dotted Names), and `.` the data of the section itself.
   */
  lookup(name: string): unknown {
    if (name === '.') return this.#view;
    const [first = '', ...rest] = name.split('.');
    for (let data: TemplateData | undefined = this; data !== undefined; data = data.#parent) {
      // A text in a section has no names of its own, so that {{length}} there is that of the data around it.
      const value = typeof data.#view === 'object' ? memberOf(data.#view, first) : undefined;
      if (value !== undefined) return rest.reduce(memberOf, value);
    }
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (value === undefined || value === null || !Object.hasOwn(Object(value) as object, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Lists and objects as JSON; nothing for null and what is not there. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
