/** Returns the header `WWW-Authenticate` of a refusal (RFC 6750, 3; RFC 9728, 5.1). Leaves out undefined parameters. */
export function challenge(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((parameter): parameter is [string, string] => parameter[1] !== undefined);
  return `Bearer ${given.map(([name, value]) => `${name}="${value.replace(/[^ !#-[\]-~]/g, '?')}"`).join(', ')}`.trim();
}
