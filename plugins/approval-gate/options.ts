import { hkdfSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { excerpt, messageOf, type PluginApi, ToolkitError } from '../../kernel/index.ts';
import { UsedTokenFolder } from '../shared/keys/used-token-folder.ts';
import { UsedTokenStore } from '../shared/keys/used-token-store.ts';
import type { UsedTokens } from '../shared/keys/used-tokens.ts';
import { stateFolder as usersStateFolder } from '../shared/project/account-folders.ts';
import { ApprovalTokens } from './approval-tokens.ts';
import { ModeSchema } from './flags.ts';
import type { OnApproval } from './host-approval.ts';

const minKeyBytes = 32;

export const ApprovalGateOptionsSchema = Type.Object(
  {
    /**
     * The approval that counts. `flag`: the caller's claim that a person agreed. `elicit`: `onApproval`, else the person at the client, asked by this
     * server. `strict`: as `elicit`, or an approval token that the host issues later; a claim never counts. @default 'flag'
     */
    mode: Type.Optional(ModeSchema),
    /** Elicit mode only: accepts the claim of a client that cannot ask its person. @default such a call is refused */
    elicitFallback: Type.Optional(Type.Enum(['flag'])),
    /** Elicit and strict mode: asks a person in the host's own way, before the client is asked. Approval tokens need it. */
    onApproval: Type.Optional(Type.Unsafe<OnApproval>({})),
    /** Strict mode only: lifetime of a token, in milliseconds. @default 300000 */
    ttlMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 86_400_000 })),
    /**
     * Strict mode only: the key of the tokens, at least 32 bytes of random text. Processes with the same key accept each other's tokens, also after a
     * restart, and each token once: used tokens are recorded in the shared store, else in `stateFolder`. A process with another store or folder refuses
     * them. @default a random key for this process alone
     */
    key: Type.Optional(Type.String()),
    /**
     * With `key`: an absolute folder, the same for all processes with the key; used tokens are recorded in its folder `approvals/`. A start fails when it
     * is not writable. Not used with a plugin that shares state between processes, such as `store-postgres`.
     * @default `toolkit` in XDG_STATE_HOME, which is `~/.local/state` unless set
     */
    stateFolder: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

export type ApprovalGateOptions = Static<typeof ApprovalGateOptionsSchema>;

export type GateSettings =
  | { readonly mode: 'flag' }
  | { readonly mode: 'elicit'; readonly onApproval: OnApproval | undefined; readonly takesFlag: boolean }
  | { readonly mode: 'strict'; readonly onApproval: OnApproval | undefined; readonly tokens: ApprovalTokens };

/** The parts of the plugin API that the settings need. */
export type GateApi = Pick<PluginApi, 'extend' | 'logger' | 'state'>;

/** Validates the options. Throws PLUGIN_INVALID for one that has no effect in its mode or cannot be used; for a folder, when the kernel is ready. */
export function gateSettings(options: ApprovalGateOptions, api: GateApi): GateSettings {
  const { mode = 'flag', elicitFallback, onApproval, ttlMs = 300_000, key, stateFolder } = options;
  refuseUnusedOptions(options, mode);
  if (onApproval !== undefined && typeof onApproval !== 'function')
    throw optionsError('onApproval expected a function (request) => boolean');
  if (mode === 'flag') return { mode };
  if (mode === 'elicit') return { mode, onApproval, takesFlag: elicitFallback === 'flag' };
  const keyBytes = key === undefined ? minKeyBytes : Buffer.byteLength(key);
  if (keyBytes < minKeyBytes) throw optionsError(`key expected at least ${minKeyBytes} bytes, received ${keyBytes}. Use random text`);
  if (stateFolder !== undefined && key === undefined)
    throw optionsError('stateFolder has no effect without key: a key of this process alone needs none. Give a key, or leave it out');
  const tokens =
    key === undefined
      ? new ApprovalTokens({ key: randomBytes(minKeyBytes), ttlMs })
      : new ApprovalTokens({ key, ttlMs, usedTokens: createUsedTokens(key, stateFolder ?? usersStateFolder(), api) });
  return { mode: 'strict', onApproval, tokens };
}

/** Returns the used-token store: the shared store, else a folder, which is opened before the first call. */
function createUsedTokens(key: string, folder: string, { extend, logger, state }: GateApi): UsedTokens {
  if (!path.isAbsolute(folder)) throw optionsError(`stateFolder expected an absolute path, received "${excerpt(folder)}"`);
  const shared = new UsedTokenStore(state, 'approvals', logger);
  let folderStore: UsedTokenFolder | undefined;
  extend.ready(() => {
    if (!state.isShared) folderStore = openUsedTokenFolder(key, folder);
  });
  const memory = (): UsedTokens => folderStore ?? shared;
  return {
    get id() {
      return memory().id;
    },
    consume: (...callArguments) => memory().consume(...callArguments),
    has: (...callArguments) => memory().has(...callArguments),
  };
}

function openUsedTokenFolder(key: string, folder: string): UsedTokenFolder {
  try {
    return new UsedTokenFolder(usedTokenFolder(key, folder));
  } catch (error) {
    throw optionsError(
      `used approval tokens cannot be kept in ${excerpt(folder)}, so that with a shared key a token could be used twice: ${excerpt(messageOf(error))}. Make the folder writable, name another one as stateFolder, add storeLibsql() or storePostgres(), or leave the key out`,
    );
  }
}

/** Returns the folder of a key's used tokens. Its name is derived from the key without revealing it (HKDF, RFC 5869), so that all processes find it. */
export function usedTokenFolder(key: string, stateFolder: string): string {
  const name = Buffer.from(hkdfSync('sha256', key, '', 'toolkit used approval tokens', 16)).toString('hex');
  return path.join(stateFolder, 'approvals', name);
}

const modesOf = {
  elicitFallback: ['elicit'],
  onApproval: ['elicit', 'strict'],
  ttlMs: ['strict'],
  key: ['strict'],
  stateFolder: ['strict'],
} as const;

function refuseUnusedOptions(options: ApprovalGateOptions, mode: string): void {
  for (const [name, modes] of Object.entries(modesOf)) {
    if (options[name as keyof typeof modesOf] === undefined || (modes as readonly string[]).includes(mode)) continue;
    throw optionsError(`${name} has no effect with mode "${mode}". Use mode "${modes.join('" or "')}", or leave it out`);
  }
}

function optionsError(problem: string): ToolkitError {
  return new ToolkitError('PLUGIN_INVALID', `The options of plugin "approval-gate" are wrong: ${problem}.`, { plugin: 'approval-gate' });
}
