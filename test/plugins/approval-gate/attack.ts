import { expect } from 'chai';
import { apiVersion, definePlugin, type ErrorCode, type Plugin, type PluginApi, ToolkitError } from '../../../kernel/index.ts';
import { type Gated, type GatedSetting, gated } from './gated.ts';

export interface Attack {
  readonly what: string;
  readonly setting: GatedSetting;
  /** Ends with what the attacker gets: an error, or the run of a call that nobody approved. */
  readonly attack: (world: Gated) => Promise<unknown>;
  /** @default APPROVAL_REQUIRED */
  readonly code?: ErrorCode;
  /** How often the tool runs rightly. @default 0 */
  readonly rightly?: number;
}

export const strict: GatedSetting = { gate: { mode: 'strict' } };
export const elicit: GatedSetting = { gate: { mode: 'elicit' } };
export const fallback: GatedSetting = { gate: { mode: 'elicit', elicitFallback: 'flag' } };

export const keyed = { mode: 'strict', key: 'a key of thirty-two bytes or more' } as const;

/** Parameters that the person approves; the attacker has the token. */
export const approved = { text: 'caf\u00e9', amount: 1, to: { name: 'Ada', limits: [1, 2] } };

/** One test for each attack: it ends with the code, and the tool has run no more often than it should. */
export function refuses(attacks: readonly Attack[]): void {
  for (const { what, setting, attack, code = 'APPROVAL_REQUIRED', rightly = 0 } of attacks) {
    it(what, async () => {
      const world = await gated(setting);
      const end = await attack(world).then(
        () => 'ran',
        (error: unknown) => (ToolkitError.is(error) ? error.code : error),
      );
      expect(end).to.equal(code);
      expect(world.ran).to.have.length(rightly);
    });
  }
}

/** A plugin of the attacker. */
export function plugin(apply: (kernel: PluginApi) => void): Plugin {
  return definePlugin({ name: 'attacker', apiVersion, apply })();
}
