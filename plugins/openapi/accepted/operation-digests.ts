import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isPlainObject } from '../../../kernel/index.ts';
import type { GeneratedSource } from '../generate/generated.ts';
import { keyOfOperation } from '../generate/operation-key.ts';

/** Returns a digest of each tool definition with all schemas to which it refers, by key of the operation. */
export function operationDigests({ tools, provider }: Pick<GeneratedSource, 'tools' | 'provider'>): ReadonlyMap<string, string> {
  const shared = isPlainObject(provider['$defs']) ? provider['$defs'] : {};
  const own = new Map(Object.entries(shared).map(([name, schema]) => [name, { digest: digestOf(schema), names: referredNames(schema) }]));
  return new Map(
    tools.map(({ definition, operation }) => {
      const reached = new Set(referredNames(definition));
      // The loop also visits what is added meanwhile.
      for (const name of reached) for (const next of own.get(name)?.names ?? []) reached.add(next);
      const schemas = [...reached].sort().map((name) => [name, own.get(name)?.digest ?? null]);
      return [keyOfOperation(operation), `sha256-${digestOf([definition, schemas])}`];
    }),
  );
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('base64url');
}

/** Returns the names of shared schemas to which a value refers. */
function referredNames(value: unknown): readonly string[] {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (isPlainObject(part))
      for (const [key, member] of Object.entries(part)) {
        const name = key === '$ref' && typeof member === 'string' ? /^#\/\$defs\/([^/]+)$/.exec(member)?.[1] : undefined;
        if (name === undefined) visit(member);
        else names.add(name);
      }
  };
  visit(value);
  return [...names];
}
