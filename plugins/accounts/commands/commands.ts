import type { Command } from '../../../kernel/index.ts';
import { parseList } from '../../shared/flags/values.ts';
import { accountFlag, callerFlag, jsonFlag, optionalProvider, providerArgument, tenantFlag } from './account-arguments.ts';
import { authProvidersCommand } from './providers.ts';

/** `toolkit auth …`: the commands for accounts. */
export const accountCommands: readonly Command[] = [
  authProvidersCommand,
  {
    name: 'auth login',
    description:
      'Log in to a provider: its tools use the account from then on. Prints an address, opens it in a browser where there is one, and waits for the login to end there. A further login adds scopes to those that were granted.',
    arguments: [{ ...providerArgument, name: '[provider]' }],
    flags: [
      {
        flag: '--scopes <groups>',
        description:
          'permissions: groups of "auth providers", such as read,send, or single scopes as the provider calls them (default: what its tools require)',
        parse: parseList,
      },
      callerFlag,
      tenantFlag,
      { ...accountFlag, description: 'a name of your choice for a second account: letters, digits, and any of . _ @ + -' },
      { flag: '--device', description: 'log in on another device, such as a phone, by a code' },
      {
        flag: '--confirm <code>',
        description: 'end a login by link: the code that its last page shows',
        complete: async () => [],
      },
      {
        flag: '--no-browser',
        description: 'open no browser here: open the address on any machine, and paste the one that the browser ends at',
      },
      jsonFlag,
    ],
    examples: [
      { line: 'toolkit auth login gmail --scopes read', does: 'your mailbox, for tools that read it' },
      { line: 'toolkit auth login gmail --account work', does: 'a second account of yours' },
      { line: 'toolkit auth login --confirm CDFG-3467 --as ada', does: 'the end of a login by link of the caller "ada"' },
      { line: 'toolkit auth login gmail --as ada', does: 'an account for the calls of the caller "ada"' },
    ],
    async run(invocation) {
      if (invocation.flags['confirm'] === undefined) await (await import('./login.ts')).login(invocation);
      else await (await import('./confirm.ts')).confirm(invocation);
    },
  },
  {
    name: 'auth status',
    description: 'List the accounts that are connected: scopes, and how long the access token still lives. Shows no token.',
    arguments: [optionalProvider],
    flags: [jsonFlag],
    async run(invocation) {
      await (await import('./status.ts')).status(invocation);
    },
  },
  {
    name: 'auth refresh',
    description: 'Get a new access token for an account now. Calls do this by themselves when it is needed.',
    arguments: [providerArgument],
    flags: [callerFlag, tenantFlag, accountFlag],
    async run(invocation) {
      await (await import('./refresh.ts')).refresh(invocation);
    },
  },
  {
    name: 'auth logout',
    description: 'Remove an account, and revoke its access at the provider.',
    arguments: [providerArgument],
    flags: [callerFlag, tenantFlag, accountFlag],
    async run(invocation) {
      await (await import('./logout.ts')).logout(invocation);
    },
  },
];
