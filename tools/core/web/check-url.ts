import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** An http or https address without a user name, which fetch refuses. Throws INVALID_PARAMETERS. */
export function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:');
  if (!isWeb) throw badUrl(`expected an absolute http or https address, received "${excerpt(text)}"`);
  if (url.username !== '' || url.password !== '') throw badUrl('expected an address without a user name and a password. Take them out');
  return url;
}

function badUrl(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "url": ${message}.`, { issues: [{ path: 'url', message }] });
}
