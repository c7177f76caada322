import { isPlainObject } from '../../../kernel/index.ts';
import type { OpenedDocument } from '../document/open-document.ts';
import type { Located } from '../document/resolve.ts';
import { defined, memberOf, shortText, textOf } from './members.ts';
import type { OAuthFlow, SecurityScheme } from './operation.ts';

/** Names of grants: those of 3.0, and of 2.0. */
const grants: ReadonlyMap<string, OAuthFlow['grant']> = new Map([
  ['authorizationCode', 'authorizationCode'],
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['clientCredentials', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
  ['application', 'clientCredentials'],
]);

/** Returns the security schemes of a document, by name. One that is invalid is left out with a note. */
export function readSecuritySchemes(
  { resolver }: OpenedDocument,
  root: Located,
  note: (fault: string) => void,
): ReadonlyMap<string, SecurityScheme> {
  const schemes = new Map<string, SecurityScheme>();
  for (const place of [resolver.at(root, 'components', 'securitySchemes'), resolver.at(root, 'securityDefinitions')]) {
    if (place === undefined || !isPlainObject(place.value)) continue;
    for (const name of Object.keys(place.value)) {
      const entry = resolver.at(place, name);
      const located = entry === undefined ? 'it is empty' : resolver.follow(entry);
      const scheme = typeof located === 'string' ? located : schemeOf(name, located.value);
      if (typeof scheme === 'string') note(`security scheme "${shortText(name, 60)}" is ignored: ${scheme}`);
      else schemes.set(name, scheme);
    }
  }
  return schemes;
}

/** Returns a scheme, or its fault. */
function schemeOf(name: string, value: unknown): SecurityScheme | string {
  const common = defined<{ name: string; description?: string }>({ name, description: textOf(value, 'description') });
  const type = textOf(value, 'type')?.toLowerCase();
  if (type === 'apikey') {
    const [place, parameter] = [textOf(value, 'in')?.toLowerCase(), textOf(value, 'name')];
    if (place !== 'query' && place !== 'header' && place !== 'cookie') return 'expected "in" to be query, header or cookie';
    return parameter === undefined ? 'expected the "name" of its parameter' : { ...common, type: 'apiKey', in: place, parameter };
  }
  if (type === 'basic') return { ...common, type: 'http', scheme: 'basic' };
  if (type === 'http') {
    const scheme = textOf(value, 'scheme')?.trim().toLowerCase();
    if (scheme === undefined) return 'expected "scheme", such as bearer';
    return { ...common, type: 'http', scheme, ...defined<{ bearerFormat?: string }>({ bearerFormat: textOf(value, 'bearerFormat') }) };
  }
  if (type === 'oauth2') return { ...common, type: 'oauth2', flows: flowsOf(value) };
  if (type === 'openidconnect') {
    const url = textOf(value, 'openIdConnectUrl');
    return url === undefined ? 'expected "openIdConnectUrl"' : { ...common, type: 'openIdConnect', url };
  }
  if (type === 'mutualtls') return { ...common, type: 'mutualTLS' };
  return `expected a type such as apiKey, http or oauth2, received "${shortText(type ?? '', 40)}"`;
}

function flowsOf(value: unknown): readonly OAuthFlow[] {
  const flows = memberOf(value, 'flows');
  const single = textOf(value, 'flow');
  const entries: readonly (readonly [string, unknown])[] = isPlainObject(flows)
    ? Object.entries(flows)
    : single === undefined
      ? []
      : [[single, value]];
  return entries.flatMap(([name, flow]) => {
    const grant = grants.get(name);
    if (grant === undefined || !isPlainObject(flow)) return [];
    const scopes = memberOf(flow, 'scopes');
    const described = isPlainObject(scopes)
      ? Object.entries(scopes).map(([scope, text]) => [scope, typeof text === 'string' ? text : ''] as const)
      : [];
    return [
      defined<OAuthFlow>({
        grant,
        authorizationUrl: textOf(flow, 'authorizationUrl'),
        tokenUrl: textOf(flow, 'tokenUrl'),
        refreshUrl: textOf(flow, 'refreshUrl'),
        scopes: Object.fromEntries(described),
      }),
    ];
  });
}
