import { excerpt, parseUrl, ToolkitError } from '../../../kernel/index.ts';

/** Parses an http or https address without a user name, which fetch refuses. Throws INVALID_PARAMETERS that names the parameter. */
export function checkUrl(text: string, parameter = 'url'): URL {
  const url = parseUrl(text);
  if (url === undefined || !isWeb(url)) {
    const received = excerpt(text.replace(/\/\/[^/?#]*@/, '//…@'));
    throw badUrl(parameter, `expected an absolute http or https address such as https://example.com/, received "${received}"`);
  }
  if (url.username !== '' || url.password !== '')
    throw badUrl(parameter, 'expected an address without a user name and a password. Take them out');
  return url;
}

export function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function badUrl(parameter: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.`, { issues: [{ path: parameter, message }] });
}
