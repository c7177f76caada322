import type { CommandInvocation } from '../../../kernel/index.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { namesOf } from '../connect/owner-names.ts';
import { connectedText } from '../connected-text.ts';
import { accountOf } from './account-arguments.ts';
import { withConnect } from './with-accounts.ts';

/** `toolkit auth login --confirm`: types the code of a login by link for its caller. */
export async function confirm(invocation: CommandInvocation): Promise<void> {
  const { flags, write } = invocation;
  const { provider, caller, tenant } = accountOf(invocation);
  await withConnect(invocation, async (connect) => {
    const named = provider === '' ? {} : { provider };
    const connected = await connect.confirm({ caller, tenant, code: String(flags['confirm']), ...named });
    const { owner, account: name = connected.owner.account, scopes } = connected;
    if (flags['json'] === true) return write(jsonText({ ...namesOf(owner), name, scopes }));
    write(`${terminalText(connectedText(name, owner))}\n`);
  });
}
