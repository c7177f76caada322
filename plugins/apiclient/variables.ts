/** A variable as it is shown. */
export interface Variable {
  readonly name: string;
  /** Absent for a secret. */
  readonly value?: string;
  readonly enabled: boolean;
  readonly secret: boolean;
}

/** Names of values that are not shown, whatever the file says of them. */
const secretName = /token|key|secret|password|passwd|credential|auth|cookie|session/i;

export function variableOf({
  name,
  value: written,
  enabled = true,
  secret = false,
}: {
  readonly name: string;
  /** What is no text is shown as JSON. */
  readonly value: unknown;
  readonly enabled?: boolean;
  readonly secret?: boolean;
}): Variable {
  const value = typeof written === 'string' ? written : written === undefined || written === null ? '' : JSON.stringify(written);
  const isSecret = secret || secretName.test(name);
  // A reference shows where a value comes from and not the value.
  return isSecret && !/^\{\{[^{}]*\}\}$/.test(value) ? { name, enabled, secret: true } : { name, value, enabled, secret: isSecret };
}

/** `{name}` becomes `{{name}}`, which is how the runner writes variables; a `{{name}}` that is there stays. */
export function withVariables(text: string): string {
  return text.replace(/\{\{[^{}]*\}\}|\{([\w.$-]+)\}/g, (match, name: string | undefined) => (name === undefined ? match : `{{${name}}}`));
}
