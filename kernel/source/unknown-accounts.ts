import type { Registry } from '../definition/registry/registry.ts';
import { ToolkitError } from '../errors.ts';
import { didYouMean } from '../schema/nearest.ts';
import type { DeclaredSource } from './declared-sources.ts';

/** Throws CONFIG_INVALID for a source that names an account at a provider which is not there, or whose logins supply nothing. */
export function refuseUnknownAccounts(base: Registry, sources: readonly DeclaredSource[]): void {
  for (const { name, plugin, source } of sources) {
    const { account } = source;
    if (account === undefined) continue;
    const provides = base.provider(account)?.definition.oauth2?.provides;
    if (provides !== undefined && Object.keys(provides).length > 0) continue;
    const known = [...base.providers.values(), ...base.presets.values()]
      .filter(({ definition }) => Object.keys(definition.oauth2?.provides ?? {}).length > 0)
      .map((provider) => provider.name)
      .sort();
    const why = base.provider(account) === undefined ? 'is no provider' : 'is a provider whose definition has no "provides" in "oauth2"';
    const expected = known.length === 0 ? 'No provider has one' : `Expected one of ${known.join(', ')}`;
    const message = `The source "${name}" has the account "${account}", which ${why}.${didYouMean(account, known)} ${expected}.`;
    throw new ToolkitError('CONFIG_INVALID', message, { plugin });
  }
}
