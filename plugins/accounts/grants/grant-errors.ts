import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { Grant, GrantOwner } from './grant.ts';

/** Maximum characters of each part of an owner in a message. */
const maxPart = 60;

/** Returns the name of an account for messages, such as `The account "work" at gmail`. */
export function accountName({ account, provider }: GrantOwner): string {
  return `The account "${excerpt(account, maxPart)}" at ${excerpt(provider, maxPart)}`;
}

const reasons = {
  refused: 'the provider no longer accepts its refresh token',
  lost: 'the answer to its last refresh was lost, and the provider no longer accepts the earlier refresh token',
} as const satisfies Record<NonNullable<Grant['needsLogin']>['reason'], string>;

/** Returns the error for a grant that only a new login helps. `isFirst`: says the reason. */
export function loginError({ owner, needsLogin }: Grant, isFirst: boolean): ToolkitError {
  const reason = needsLogin?.reason ?? 'refused';
  const why = isFirst ? `: ${reasons[reason]}` : '';
  return authRequired(owner, `${accountName(owner)} needs a new login${why}. Log in again.`, { needsLogin: reason });
}

/** Returns the error for an access token that ended and came without a refresh token. */
export function endedError(owner: GrantOwner): ToolkitError {
  return authRequired(
    owner,
    `${accountName(owner)} has an access token that no longer works, and the provider gave no refresh token. Log in again.`,
    {},
  );
}

/** Returns the error for a call that waited too long for the refresh of another process. */
export function busyError(owner: GrantOwner, waitedMs: number): ToolkitError {
  const seconds = Math.round(waitedMs / 1000);
  const message = `${accountName(owner)} is being refreshed by another process, which has not finished within ${seconds} s. Repeat the call.`;
  return authRequired(owner, message, { retryable: true });
}

function authRequired({ provider, account }: GrantOwner, message: string, details: Record<string, unknown>): ToolkitError {
  return new ToolkitError('AUTH_REQUIRED', message, { provider, account, ...details });
}

export function closedError(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The accounts are closed, because the kernel is.', { retryable: false });
}
