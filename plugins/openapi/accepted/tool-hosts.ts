import { isPlainObject, parseUrl } from '../../../kernel/index.ts';
import type { GeneratedSource, GeneratedTool } from '../generate/generated.ts';

/**
 * Returns the origins to which a tool sends, such as `https://api.box.com`. A placeholder in a host that a caller fills stands for the default of its
 * parameter and each value of its enum. One that the operator fills stays as it is: `https://{BOX_REGION}.box.com`.
 */
export function hostsOfTool({ definition }: GeneratedTool, { provider }: Pick<GeneratedSource, 'provider'>): readonly string[] {
  const execution = isPlainObject(definition['execution']) ? definition['execution'] : {};
  const url = String(execution['url'] ?? '');
  const base = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : String(provider['base_url'] ?? '');
  const [scheme = '', authority = ''] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)/i.exec(base)?.slice(1) ?? [];
  return [...new Set(expanded(authority, definition).map((host) => originOf(`${scheme}${host}`)))];
}

/** Maximum number of hosts of one tool. */
const maxHosts = 100;

function expanded(authority: string, definition: GeneratedTool['definition']): readonly string[] {
  const [placeholder, name = ''] = /\{(\w+)\}/.exec(authority) ?? [];
  if (placeholder === undefined) return [authority];
  const values = valuesOf(definition, name);
  if (values.length === 0) return [authority];
  return values
    .flatMap((value) =>
      expanded(
        authority.replace(placeholder, () => value.replace(/[{}]/g, '')),
        definition,
      ),
    )
    .slice(0, maxHosts);
}

function valuesOf(definition: GeneratedTool['definition'], name: string): readonly string[] {
  const schema = [definition['parameters'], (definition['input_schema'] as { properties?: unknown } | undefined)?.properties]
    .map((parameters) => (isPlainObject(parameters) && Object.hasOwn(parameters, name) ? parameters[name] : undefined))
    .find(isPlainObject);
  const { default: byDefault, enum: values, const: only } = schema ?? {};
  return [byDefault, only, ...(Array.isArray(values) ? values : [])]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);
}

function originOf(url: string): string {
  return parseUrl(url)?.origin ?? url;
}
