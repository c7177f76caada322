import { type JsonValue, readJson } from '../../../kernel/index.ts';

/** Returns the data of a template. A text that is a JSON object or list is parsed; any other value stays. */
export function readData(data: JsonValue): JsonValue {
  if (typeof data !== 'string' || !/^\s*[[{]/.test(data)) return data;
  try {
    const value = readJson(data) as JsonValue;
    return typeof value === 'object' && value !== null ? value : data;
  } catch {
    return data;
  }
}

/** The data in the scope of a template tag: that of its section, then that of the sections around it. Reads own members only. */
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
   * Returns the value of a name. Undefined when it has none. `a.b` is member b of the nearest a, even when only a farther a has a b (Mustache
   * specification, Dotted Names). `.` is the data of the section itself.
   */
  lookup(name: string): unknown {
    if (name === '.') return this.#view;
    const [first = '', ...rest] = name.split('.');
    for (let data: TemplateData | undefined = this; data !== undefined; data = data.#parent) {
      // A text in a section has no members, so {{length}} means that of the data around it.
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

/** Returns lists and objects as JSON, and an empty text for null and undefined. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
