import { excerpt, ToolkitError } from '../../kernel/index.ts';
import { shellWord } from '../shared/text/shell-word.ts';
import type { AccountName } from './account-name.ts';
import type { AccountProvider } from './providers/account-providers.ts';
import { scopeWords } from './scope-words.ts';

/** Reason why a call has no account. */
export type AuthReason =
  /** The caller has connected none. */
  | { readonly kind: 'none' }
  /** The configured account is not among those of the caller. */
  | { readonly kind: 'absent'; readonly account: string }
  /** The caller has several, and none is chosen. */
  | { readonly kind: 'ambiguous'; readonly accounts: readonly string[] }
  /** The account belongs to another client or other addresses than those of the configuration. */
  | { readonly kind: 'moved'; readonly account: string }
  /** The granted scopes lack some. */
  | { readonly kind: 'scopes'; readonly account: string; readonly missing: readonly string[] };

/** The login that is missing. */
export interface LoginWay {
  readonly holder: AccountName;
  readonly scopes: readonly string[];
}

const purposes = {
  none: 'To connect one',
  absent: 'To connect it',
  moved: 'To connect it again',
  scopes: 'To add it to what was granted',
} as const;

/** Returns the error AUTH_REQUIRED of a call, in words, with the way to log in. */
export function authRequired(provider: AccountProvider, reason: AuthReason, { holder, scopes }: LoginWay): ToolkitError {
  const account = 'account' in reason ? reason.account : holder.account;
  const command = loginCommand({ ...holder, ...(account === undefined ? {} : { account }) }, scopeWords(provider, scopes));
  return new ToolkitError('AUTH_REQUIRED', `${inWords(provider.name, holder.caller, reason)} ${way(provider.name, reason, command)}`, {
    provider: provider.name,
    ...(account === undefined ? {} : { account }),
    ...(reason.kind === 'scopes' ? { scopes: [...reason.missing] } : {}),
    command,
  });
}

function way(provider: string, reason: AuthReason, command: string): string {
  if (reason.kind !== 'ambiguous') return `${purposes[reason.kind]}, type: ${command}`;
  return `Set "use: { ${provider}: … }" in the options of accounts(), or log in to the account "default": ${command}`;
}

/** Returns the command line that logs a holder in. */
export function loginCommand({ tenant, caller, provider, account }: AccountName, scopes: readonly string[] = []): string {
  const words = [
    ...(scopes.length === 0 ? [] : ['--scopes', scopes.join(',')]),
    ...(caller === 'default' ? [] : ['--as', caller]),
    ...(tenant === caller ? [] : ['--tenant', tenant]),
    ...(account === undefined || account === 'default' ? [] : ['--account', account]),
  ];
  return ['toolkit', 'auth', 'login', provider, ...words].map((word) => shellWord(word)).join(' ');
}

function inWords(provider: string, caller: string, reason: AuthReason): string {
  const of = caller === 'default' ? '' : ` of the caller "${caller}"`;
  switch (reason.kind) {
    case 'none':
      return `No account${of} at "${provider}" is connected.`;
    case 'absent':
      return `The account "${reason.account}"${of} at "${provider}", which the configuration chooses, is not connected.`;
    case 'ambiguous':
      return `There are several accounts${of} at "${provider}", and none is chosen: ${reason.accounts.join(', ')}.`;
    case 'moved':
      return `The account "${reason.account}"${of} at "${provider}" was connected with another client or other addresses than the configuration has now.`;
    case 'scopes':
      return `The account "${reason.account}"${of} at "${provider}" lacks the permission ${excerpt(reason.missing.join(', '))}.`;
  }
}
