import { Secret } from '../../../kernel/index.ts';
import type { ImportedSecret } from './imported.ts';

/** The secrets that an import finds. Their values never leave it in text. */
export class ImportedSecrets {
  readonly #found = new Map<string, { value?: string; readonly usedBy: string[] }>();

  /** Returns the name of a secret with this value. It begins with that of the source, so that no two servers share one by chance. */
  store(source: string, wanted: string, value: string, usedBy: string): string {
    const plain = namePart(wanted);
    const prefix = `${namePart(source)}_`;
    const name = plain.startsWith(prefix) ? plain : `${prefix}${plain}`;
    for (let index = 1; ; index++) {
      const candidate = index === 1 ? name : `${name}_${index}`;
      const known = this.#found.get(candidate);
      if (known !== undefined && known.value !== value) continue;
      this.#use(candidate, usedBy, value);
      return candidate;
    }
  }

  /** Returns the name of a secret that the user must give. `byDefault`: the value otherwise. */
  ask(variable: string, usedBy: string, byDefault?: string): string {
    const name = /^\w+$/.test(variable) ? variable : namePart(variable);
    this.#use(name, usedBy, byDefault);
    return name;
  }

  get all(): readonly ImportedSecret[] {
    return [...this.#found].map(([name, { value, usedBy }]) => ({
      name,
      usedBy,
      ...(value === undefined ? {} : { value: new Secret(name, value) }),
    }));
  }

  #use(name: string, usedBy: string, value?: string): void {
    const known = this.#found.get(name) ?? { usedBy: [] };
    if (value !== undefined) known.value ??= value;
    known.usedBy.push(usedBy);
    this.#found.set(name, known);
  }
}

function namePart(text: string): string {
  return (
    text
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'VALUE'
  );
}
