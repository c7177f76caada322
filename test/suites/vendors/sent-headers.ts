import type { SeenRequest } from '../../support/loopback.ts';
import type { CatalogueProvider, CatalogueTool } from './catalogue.ts';
import { filled } from './credentials.ts';

/** Returns the faults in the headers of a request: its user agent, and the headers that its vendor requires. */
export function findingsInHeaders(
  { headers }: SeenRequest,
  { auth, headers: asked = {} }: CatalogueProvider,
  tool: CatalogueTool,
): string[] {
  const findings = Object.entries(asked).flatMap(([name, value]) => {
    const sent = headers[name.toLowerCase()];
    // The catalogue says of the User-Agent that it is required, whatever it is.
    const isRight = name === 'User-Agent' ? typeof sent === 'string' && sent !== '' : sent === value;
    return isRight ? [] : [`the header ${name} is ${String(sent)}, not ${value}`];
  });
  return isRightSender(headers.authorization, auth, tool)
    ? findings
    : [...findings, 'the header Authorization is not what the catalogue says'];
}

function isRightSender(sent: string | undefined, auth: CatalogueProvider['auth'], tool: CatalogueTool): boolean {
  if (auth.kind === 'basic') {
    const [scheme, value = ''] = (sent ?? '').split(' ');
    const [, username = '', password] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
    const isRightName = auth.username === 'anystring' ? username !== '' : username === filled(auth.username ?? '');
    return scheme === 'Basic' && isRightName && password === filled(auth.password ?? '');
  }
  return sent === filled((tool.auth === 'default' ? auth.value : auth.alternatives?.[tool.auth]) ?? '');
}
