/** A variable with a displayable value. */
export interface Variable {
  readonly name: string;
  /** Absent for a secret. */
  readonly value?: string;
  readonly enabled: boolean;
  readonly secret: boolean;
}

/** Matches names whose values are never shown, even if the file does not mark them as secret. */
const secretName = /token|key|secret|password|passwd|credential|auth|cookie|session/i;

export function variableOf({
  name,
  value: written,
  enabled = true,
  secret = false,
}: {
  readonly name: string;
  /** Values other than texts are shown as JSON. */
  readonly value: unknown;
  readonly enabled?: boolean;
  readonly secret?: boolean;
}): Variable {
  const value = typeof written === 'string' ? written : written === undefined || written === null ? '' : JSON.stringify(written);
  const isSecret = secret || secretName.test(name);
  // A reference shows the source of a value, not the value.
  return isSecret && !/^\{\{[^{}]*\}\}$/.test(value) ? { name, enabled, secret: true } : { name, value, enabled, secret: isSecret };
}

/** Converts `{name}` to `{{name}}`, the runner's syntax for variables. Keeps an existing `{{name}}`. */
export function withVariables(text: string): string {
  return text.replace(/\{\{[^{}]*\}\}|\{([\w.$-]+)\}/g, (match, name: string | undefined) => (name === undefined ? match : `{{${name}}}`));
}
