export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a variable without space around it; empty where it is not set, as the specification of OpenTelemetry has it. */
export function settingOf(env: Environment, name: string): string {
  return env[name]?.trim() ?? '';
}

/** Returns the first variable of these that is set. */
export function firstSet(env: Environment, names: readonly string[]): readonly [name: string, value: string] | undefined {
  return names.map((name) => [name, settingOf(env, name)] as const).find(([, value]) => value !== '');
}
