import type { Kernel, Provider } from '../../kernel/index.ts';

/** Returns the providers that a person can log in to, by name. */
export function knownProviders({ presets, providers }: Pick<Kernel['registry'], 'presets' | 'providers'>): readonly Provider[] {
  return [...new Map([...presets, ...providers]).values()]
    .filter(({ definition }) => definition.oauth2 !== undefined)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
