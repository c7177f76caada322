import type { JsonObject, Resource, ResourceTemplate } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import { completer } from './complete.ts';
import { readResource } from './read-resource.ts';
import { watchResource } from './watch-resource.ts';

/** Returns the resources of a server. Their URIs stay as they are. */
export function listResources(upstream: Upstream, resources: readonly JsonObject[], subscribes: boolean): readonly Resource[] {
  return resources.map((resource) => ({
    ...(resource as unknown as Resource),
    read: (context) => readResource(upstream, String(resource['uri']), context),
    ...(subscribes ? { watch: (changed: () => void) => watchResource(upstream, String(resource['uri']), changed) } : {}),
  }));
}

/** Returns the templates of a server. Their URIs stay as they are. */
export function listTemplates(upstream: Upstream, templates: readonly JsonObject[], completes: boolean): readonly ResourceTemplate[] {
  return templates.map((template) => {
    const uri = String(template['uriTemplate']);
    const variables = completes ? variablesOf(uri) : [];
    const complete = Object.fromEntries(variables.map((name) => [name, completer(upstream, { type: 'ref/resource', uri }, name)]));
    return {
      ...(template as unknown as ResourceTemplate),
      read: (actual, _variables, context) => readResource(upstream, actual, context),
      ...(variables.length === 0 ? {} : { complete }),
    };
  });
}

/** Returns the names in the braces of a URI template. */
function variablesOf(template: string): readonly string[] {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, inner = '']) => inner.split(/\W+/));
  return [...new Set(names)].filter((name) => name !== '' && name !== '__proto__');
}
