/** Writes a JSON value as TypeScript. */
export function codeOf(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => codeOf(item, inner)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${keyOf(name)}: ${codeOf(member, inner)}`);
  if (members.length === 0) return '{}';
  const line = `{ ${members.join(', ')} }`;
  return line.length + indent.length <= 120 ? line : `{\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}}`;
}

function keyOf(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) && name !== '__proto__' ? name : codeOf(name);
}
