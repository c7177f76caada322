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
      'Log in to a provider, so that the calls of a caller use the account. Opens a browser at a terminal, and prints the address always. A further login adds scopes to those that were granted.',
    arguments: [{ ...providerArgument, name: '[provider]' }],
    flags: [
      {
        flag: '--scopes <groups>',
        description: 'groups of permissions, such as read,send, or scopes by the name of the provider (default: what its tools require)',
        parse: parseList,
      },
      callerFlag,
      tenantFlag,
      { ...accountFlag, description: 'your name for the account, where there are several: letters, digits, and any of . _ @ + -' },
      { flag: '--device', description: 'agree on another device, by a code' },
      {
        flag: '--confirm <code>',
        description: 'type the code that the page of a login by link shows; the account is connected then',
        complete: async () => [],
      },
      { flag: '--no-browser', description: 'open no browser; the address at which one ends elsewhere can be pasted' },
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
